import { oncePer } from '../once-per.ts';
import { type Team, toFullName } from '../schemas/team.ts';

/** Letters that do not decompose into base letter and accent, with their plain spelling. */
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
/**
 * Accents, vowel points, and the direction marks that `toName` removes. The marks of other scripts
 * are vowel signs and tone marks, those of kana other letters.
 */
const MARKS =
  /[\p{Bidi_C}[[\p{M}--[\u3099\u309A]]&&[\p{sc=Zinh}\p{sc=Cyrl}\p{sc=Hebr}\p{sc=Arab}]]]/gv;

/**
 * A text for comparison: lower case, without accents, one kind of apostrophe. It works letter
 * by letter, so that a part of a text remains a part of it: to normalise all at once would sort
 * marks that follow each other.
 */
export const fold = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\0-\x7F]/gu, (letter) => letter.normalize('NFD'))
    .replaceAll(MARKS, '')
    .replaceAll(SPECIAL_LETTERS, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .replaceAll(APOSTROPHES, "'");

/** The words of a query, which match in any order. */
export const toWords = (query: string): readonly string[] =>
  fold(query).split(/\s+/).filter(Boolean);

/** A text for comparison, with and without its apostrophes. */
interface Folded {
  readonly folded: string;
  readonly bare: string;
}

const toFolded = (name: string): Folded => {
  const folded = fold(name);
  return { folded, bare: folded.replaceAll("'", '') };
};

const isMatch = ({ folded, bare }: Folded, words: readonly string[]): boolean =>
  words.every((word) => folded.includes(word) || bare.includes(word));

/** Whether a name contains every word, with or without its apostrophes. */
export const hasWords = (name: string, words: readonly string[]): boolean =>
  isMatch(toFolded(name), words);

/** Cached, because every keystroke in the search compares every name. */
const toFoldedName = oncePer((team: Team) => toFolded(toFullName(team)));

/**
 * The clients whose full name contains every word of the query, in their order; an empty query
 * returns all. Every client whose name contains the lowercase query as a whole (spec §5) is
 * among them.
 */
export const filterTeams = (teams: readonly Team[], query: string): readonly Team[] => {
  const words = toWords(query);
  return words.length === 0 ? teams : teams.filter((team) => isMatch(toFoldedName(team), words));
};
