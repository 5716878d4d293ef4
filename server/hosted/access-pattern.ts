import { ROOM_IDS, toChannelPattern } from '#domain/rooms.ts';
import { isWildcardTemplate } from '#domain/rules/subscription.ts';

/** Subscribing to `a.b.*` is a separate permission, on a channel with exactly that name. */
const WILDCARD = String.raw`\*`;

const END = '';

const isLast = (words: readonly string[]): boolean => words.length === 1 && words[0]?.length === 1;

/** A minus sign comes first, where it does not mean a range. */
const toCharacterClass = (characters: readonly string[]): string =>
  `[${characters.toSorted((a, b) => Number(b === '-') - Number(a === '-')).join('')}]`;

const toBranches = (words: readonly string[]): string => {
  const rest = words.filter((word) => word !== END);
  const groups = [...Map.groupBy(rest, (word) => word.charAt(0))];
  const optional = words.includes(END) ? '?' : '';
  if (groups.length > 1 && groups.every(([, group]) => isLast(group))) {
    return `${toCharacterClass(groups.map(([first]) => first))}${optional}`;
  }
  const branches = groups.map(([first, group]) => {
    const rests = group.map((word) => word.slice(1));
    return rests.every((word) => word === END) ? first : `${first}${toBranches(rests)}`;
  });
  if (branches.length === 1 && optional === '') return branches.join('');
  return `(${branches.join('|')})${optional}`;
};

/**
 * A regular expression that matches exactly these words, with common prefixes factored out:
 * `c_001`, `c_002` become `c_00[12]`. Words consist of letters, digits, `_` and `-`; at least
 * one is given. It uses only groups, classes, `|` and `?`.
 */
export const toAlternatives = (words: readonly string[]): string =>
  `(${toBranches([...new Set(words)].toSorted())})`;

/**
 * The channels of these clients' rooms, and no others, as one regular expression. If the template
 * allows wildcards, it includes the one of each client, such as `chat.c_001.*`.
 */
export const toAccessPattern = (template: string, clientIds: readonly string[]): string => {
  const rooms = isWildcardTemplate(template) ? [...ROOM_IDS, WILDCARD] : ROOM_IDS;
  return toChannelPattern(template, toAlternatives(clientIds), `(${rooms.join('|')})`);
};
