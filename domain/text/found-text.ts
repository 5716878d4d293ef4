import { fold } from './search.ts';

/** A part of a text, `end` exclusive; UTF-16 units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A text with the parts that were found in it, in order and without overlaps. */
export interface FoundText {
  readonly text: string;
  readonly ranges: readonly Range[];
}

/** The lengths of an excerpt; UTF-16 units. */
interface ExcerptSize {
  readonly max: number;
  /** Of its part before the first hit, where it is cut. */
  readonly lead: number;
  /** Of the longest text that is not cut. */
  readonly whole: number;
}

const EXCERPT: ExcerptSize = { max: 260, lead: 60, whole: 260 };

const SPACE = /^\s+$/;
const SPACES = /\s/;
const TO_LAST_SPACE = /^(.*\S)\s/s;

/** A folded text, and for each of its units the range of its letter in the text. */
const foldWithPlaces = (text: string) => {
  const places: Range[] = [];
  let folded = '';
  let start = 0;
  for (const letter of text) {
    const end = start + letter.length;
    const isSpace = SPACE.test(letter);
    const part = isSpace ? (folded.endsWith(' ') || folded === '' ? '' : ' ') : fold(letter);
    folded += part;
    for (let i = 0; i < part.length; i += 1) places.push({ start, end });
    start = end;
  }
  return { folded, places };
};

/** The parts of a text that match folded terms, ignoring case and marks; none overlap or touch. */
export const findRanges = (text: string, terms: readonly string[]): readonly Range[] => {
  const { folded, places } = foldWithPlaces(text);
  const found: Range[] = [];
  for (const term of terms.filter((one) => one !== '')) {
    for (let at = folded.indexOf(term); at !== -1; at = folded.indexOf(term, at + term.length)) {
      const first = places[at];
      const last = places[at + term.length - 1];
      if (first && last) found.push({ start: first.start, end: last.end });
    }
  }
  const merged: Range[] = [];
  for (const range of found.toSorted((a, b) => a.start - b.start)) {
    const before = merged.at(-1);
    if (before === undefined || range.start > before.end) merged.push(range);
    else merged[merged.length - 1] = { ...before, end: Math.max(before.end, range.end) };
  }
  return merged;
};

/** A position that does not cut a letter of two units. */
const toLetterStart = (text: string, at: number): number =>
  /[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at - 1 : at;

/** The longest part of a word that an excerpt leaves out rather than cut; UTF-16 units. */
const WORD_PART_MAX = 24;

/** The start of the next word, if it is near and before `until`: else a position between letters. */
const toWordStart = (text: string, at: number, until: number): number => {
  const before = text.slice(at - 1, Math.min(until, at + WORD_PART_MAX));
  const space = before.search(SPACES);
  return space === -1 ? toLetterStart(text, at) : at + space;
};

/** The end of the last word that fits, if it is near and after `since`. */
const toWordEnd = (text: string, at: number, since: number): number => {
  if (at >= text.length) return text.length;
  const start = Math.max(since, at - WORD_PART_MAX);
  const words = text.slice(start, at + 1).match(TO_LAST_SPACE)?.[1];
  return words === undefined ? toLetterStart(text, at) : start + words.length;
};

/**
 * A text around its first hit, on one line; an ellipsis shows where it was cut, between words if
 * possible.
 */
export const toExcerpt = (
  { text, ranges }: FoundText,
  { max, lead: leadMax, whole } = EXCERPT,
): FoundText => {
  const hit = ranges[0] ?? { start: 0, end: 0 };
  const isWhole = text.length <= whole;
  const from =
    isWhole || hit.start <= leadMax ? 0 : toWordStart(text, hit.start - leadMax, hit.start);
  const to = isWhole ? text.length : toWordEnd(text, from + max, hit.end);
  const lead = from > 0 ? '…' : '';
  const shift = lead.length - from;
  return {
    text: lead + text.slice(from, to).replaceAll(/\s/g, ' ') + (to < text.length ? '…' : ''),
    ranges: ranges
      .filter(({ start }) => start < to)
      .map(({ start, end }) => ({ start: start + shift, end: Math.min(end, to) + shift })),
  };
};
