import { array, assert, constantFrom, oneof, property, string, stringMatching } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { findRanges, toExcerpt } from '#domain/text/found-text.ts';
import { foldSpaced, isEmptyQuery, parseSearchQuery } from '#domain/text/search-query.ts';
import { fromEpochMs } from '#domain/timetoken.ts';
import { anyCharacter } from '#tests/support/any-character.ts';

const NOW = new Date(2026, 10, 23, 12).getTime();
const parse = (text: string) => parseSearchQuery(text, NOW);
const startOf = (year: number, month: number, day: number) =>
  fromEpochMs(new Date(year, month - 1, day).getTime());

/** Texts as people and machines write them. */
const anyText = oneof(
  string({ unit: 'grapheme', maxLength: 60 }),
  string({ unit: anyCharacter, maxLength: 60 }),
  array(constantFrom('from:', 'in:', 'after:', '"', ' ', 'Kjær', '’', '2026-10', 'ß', '\n')).map(
    (parts) => parts.join(''),
  ),
);
const word = stringMatching(/^[\p{L}\p{N}]{1,8}$/u);

describe('a search query', () => {
  test('has words, phrases and filters', () => {
    expect(parse('Tor "zweite  Hälfte" from:"Leila H" in:Kjær from:me')).toMatchObject({
      terms: ['tor', 'zweite halfte'],
      from: ['leila h', 'me'],
      in: ['kjaer'],
      ignored: [],
    });
    expect(parse('“curly quotes” and "no end')).toMatchObject({
      terms: ['curly quotes', 'and', 'no end'],
    });
    expect(
      parse('„zweite Hälfte“ «deux mots» »drei Worte« 「二つ の言葉」 from:„Leila H“'),
    ).toMatchObject({
      terms: ['zweite halfte', 'deux mots', 'drei worte', '二つ の言葉'],
      from: ['leila h'],
    });
    expect(parse('"she said «go»" „das »Tor« war“ „no end"')).toMatchObject({
      terms: ['she said «go»', 'das »tor« war', 'no end'],
    });
    expect(parse('„Rechnung fehlt" „Mai" 2026')).toMatchObject({
      terms: ['rechnung fehlt', 'mai', '2026'],
    });
    expect(parse('at https://x.example "in:"')).toMatchObject({
      terms: ['at', 'https://x.example', 'in:'],
    });
  });

  test('accepts a space after the colon of a filter, and ignores one without a value', () => {
    expect(parse('coach in: maya from:  "Leila H" after: 2026-10-03')).toMatchObject({
      terms: ['coach'],
      in: ['maya'],
      from: ['leila h'],
      after: startOf(2026, 10, 3),
      ignored: [],
    });
    expect(parse('coach from: in: after:')).toMatchObject({
      terms: ['coach'],
      in: [],
      from: [],
      ignored: [],
    });
    expect(parse('from: in:maya')).toMatchObject({ terms: [], from: [], in: ['maya'] });
    expect(isEmptyQuery(parse('In:'))).toBe(true);
  });

  test('accepts dates in several forms, and names invalid ones', () => {
    expect(parse('after:2026-10-03 before:2026-11')).toMatchObject({
      after: startOf(2026, 10, 3),
      before: startOf(2026, 11, 1),
    });
    expect(parse('AFTER:03/10/2026 before:2027')).toMatchObject({
      after: startOf(2026, 10, 3),
      before: startOf(2027, 1, 1),
    });
    expect(parse('after:yesterday before:today')).toMatchObject({
      after: startOf(2026, 11, 22),
      before: startOf(2026, 11, 23),
    });
    const wrong = parse('after:2026-02-30 before:soon');
    expect(wrong.ignored).toEqual(['after:2026-02-30', 'before:soon']);
    expect(isEmptyQuery(wrong)).toBe(true);
  });

  test('accepts any text, and its terms are folded completely', () => {
    assert(
      property(anyText, (text) => {
        const { terms, from, in: places } = parse(text);
        for (const term of [...terms, ...from, ...places]) {
          expect(term).not.toBe('');
          expect(foldSpaced(term)).toBe(term);
        }
      }),
    );
  });

  test('finds every text that contains its words in any order', () => {
    assert(
      property(array(word, { minLength: 1, maxLength: 5 }), anyText, (words, around) => {
        const { terms } = parse(words.toReversed().join(' '));
        const text = foldSpaced(`${around} ${words.join(' ')}`);
        expect(terms.filter((term) => !text.includes(term))).toEqual([]);
      }),
    );
  });
});

describe('marks in a found text', () => {
  const marked = (text: string, query: string) =>
    findRanges(text, parse(query).terms).map(({ start, end }) => text.slice(start, end));

  test('cover the terms, whatever their case, accents and spaces', () => {
    expect(marked('Søren KJÆRGAARD, kjaergaard', 'kjaer')).toEqual(['KJÆR', 'kjaer']);
    expect(marked('the second\n  half', '"second half"')).toEqual(['second\n  half']);
    expect(marked('Straße 😀 Ångström', 'strasse angstrom')).toEqual(['Straße', 'Ångström']);
    expect(marked('Aoife O’Sullivan', "o'sull")).toEqual(['O’Sull']);
    expect(marked('nothing', 'else')).toEqual([]);
  });

  test.each([
    ['दिन', 'दान'],
    ['ไม่', 'ไม้'],
    ['கீ', 'கோ'],
    ['はず', 'ぱす'],
  ])('cover %s and not %s, which has another vowel sign, tone mark or dakuten', (word, other) => {
    expect(marked(`${other} ${word}`, word)).toEqual([word]);
  });

  test.each([
    ['שָׁלוֹם', 'שלום'],
    ['مُحَمَّد', 'محمد'],
    ['Ёлка', 'елка'],
    ['Ἀθῆναι', 'αθηναι'],
  ])('cover %s, typed without its points or accents', (text, query) => {
    expect(marked(text, query)).toEqual([text]);
  });

  test('are in order and apart, and fold to a text that contains a term', () => {
    assert(
      property(anyText, anyText, (text, query) => {
        const { terms } = parse(query);
        let end = -1;
        for (const range of findRanges(text, terms)) {
          expect(range.start).toBeGreaterThan(end);
          expect(range.end).toBeGreaterThan(range.start);
          end = range.end;
          const part = foldSpaced(text.slice(range.start, range.end));
          expect(terms.some((term) => part.includes(term))).toBe(true);
        }
        expect(end).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  test('exist for a part of any text, and stay on it in an excerpt', () => {
    const long = array(anyText, { maxLength: 30 }).map((parts) => parts.join(' '));
    assert(
      property(long, word, long, (before, part, after) => {
        const text = `${before} ${part} ${after}`;
        const [term = ''] = parse(part).terms;
        const ranges = findRanges(text, [term]);
        expect(ranges.length).toBeGreaterThan(0);
        const excerpt = toExcerpt({ text, ranges });
        const [first] = excerpt.ranges;
        expect(foldSpaced(excerpt.text.slice(first?.start, first?.end))).toContain(term);
        expect(excerpt.text.length).toBeLessThan(270);
      }),
    );
  });

  test('is cut between words', () => {
    const size = { max: 40, lead: 12, whole: 20 };
    const cut = (text: string, term: string) => {
      const found = toExcerpt({ text, ranges: findRanges(text, [term]) }, size);
      const [first] = found.ranges;
      return { text: found.text, hit: found.text.slice(first?.start, first?.end) };
    };
    const sentence = 'Could you send the second goal again before the interview begins tonight?';
    expect(cut(sentence, 'goal')).toEqual({
      text: '…the second goal again before the…',
      hit: 'goal',
    });
    // Short enough; and starting with a word that fits exactly.
    expect(cut('abc de ghij goal klm', 'goal').text).toBe('abc de ghij goal klm');
    expect(cut('0123456789 abc defghij goal', 'goal').text).toBe('…abc defghij goal');
    expect(cut(`${'x'.repeat(30)}goal${'y'.repeat(60)}`, 'goal')).toEqual({
      text: `…${'x'.repeat(12)}goal${'y'.repeat(24)}…`,
      hit: 'goal',
    });
  });
});
