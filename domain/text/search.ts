import { type Team, toFullName } from '../schemas/team.ts';

/** Letters that stay what they are when accents are taken off, as most keyboards write them. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  þ: 'th',
  ς: 'σ',
};
const SPECIAL_LETTERS = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'g');
const APOSTROPHES = /[’‘ʼʹ′´`]/g;
const MARKS = /\p{M}+/gu;

/**
 * A text as it is compared: lower case, without accents, one kind of apostrophe. Letter by
 * letter, so that a part of a text stays a part of it.
 */
const fold = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(MARKS, '')
    .replaceAll(SPECIAL_LETTERS, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .replaceAll(APOSTROPHES, "'");

/** The words of a query, to be found in any order. */
export const toWords = (query: string): readonly string[] =>
  fold(query).split(/\s+/).filter(Boolean);

/** Whether a name has every word in it, with its apostrophes or without them. */
export const hasWords = (name: string, words: readonly string[]): boolean => {
  const folded = fold(name);
  const bare = folded.replaceAll("'", '');
  return words.every((word) => folded.includes(word) || bare.includes(word));
};

/**
 * The clients whose full name contains every word of the query, in their order; an empty query
 * keeps all. Whatever contains the lowercase query as a whole (spec §5) is among them.
 */
export const filterTeams = (teams: readonly Team[], query: string): readonly Team[] => {
  const words = toWords(query);
  return words.length === 0 ? teams : teams.filter((team) => hasWords(toFullName(team), words));
};
