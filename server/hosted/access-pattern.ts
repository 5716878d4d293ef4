import { ROOM_IDS, toChannelPattern } from '#domain/rooms.ts';

/** Subscribing to `a.b.*` is a permission of its own, on a channel of just that name. */
const WILDCARD = String.raw`\*`;

const END = '';

/** Words by their first character, each without it. */
const groupByFirst = (words: readonly string[]): ReadonlyMap<string, readonly string[]> =>
  Map.groupBy(words, (word) => word.charAt(0));

const isLast = (words: readonly string[]): boolean => words.length === 1 && words[0]?.length === 1;

/** A minus sign stands first, where it is no range. */
const toCharacterClass = (characters: readonly string[]): string =>
  `[${characters.toSorted((a, b) => Number(b === '-') - Number(a === '-')).join('')}]`;

const toBranches = (words: readonly string[]): string => {
  const groups = [...groupByFirst(words.filter((word) => word !== END))];
  const isOptional = words.includes(END) ? '?' : '';
  if (groups.length > 1 && groups.every(([, group]) => isLast(group))) {
    return `${toCharacterClass(groups.map(([first]) => first))}${isOptional}`;
  }
  const branches = groups.map(([first, group]) => {
    const rests = group.map((word) => word.slice(1));
    return rests.every((rest) => rest === END) ? first : `${first}${toBranches(rests)}`;
  });
  if (branches.length === 1 && isOptional === '') return branches.join('');
  return `(${branches.join('|')})${isOptional}`;
};

/**
 * A regular expression that matches these words and no others, with common beginnings
 * written once: `c_001`, `c_002` are `c_00[12]`. Words are made of letters, digits, `_` and
 * `-`; at least one is given. Of the syntax only groups, classes, `|` and `?` are used.
 */
export const toAlternatives = (words: readonly string[]): string =>
  `(${toBranches([...new Set(words)].toSorted())})`;

/**
 * The channels of these clients' rooms, and of nobody else's, as one regular expression.
 * Where the room stands last in the template, behind a dot, `{client}.*` belongs to them.
 */
export const toAccessPattern = (template: string, clientIds: readonly string[]): string => {
  const rooms = template.endsWith('.{rid}') ? [...ROOM_IDS, WILDCARD] : ROOM_IDS;
  return toChannelPattern(template, toAlternatives(clientIds), `(${rooms.join('|')})`);
};
