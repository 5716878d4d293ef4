import { describe, expect, test } from 'vitest';

import { type Figure, findMedian, findPercentile, summarize } from '#tests/bench/figure.ts';
import { toMarkdown, toTable } from '#tests/bench/table.ts';

const START: Figure = {
  id: 'F2',
  what: 'start',
  unit: 'ms',
  ours: [300, 100, 200],
  floor: [90, 100, 110],
  reach: 2.2,
  lead: 1.6,
};

describe('statistics', () => {
  test('the median is the middle value, whatever the order', () => {
    expect(findMedian([9, 1, 5])).toBe(5);
    expect(findMedian([10, 9, 1, 2])).toBe(5.5);
    expect(findMedian([7])).toBe(7);
  });

  test('values are compared as numbers', () => {
    expect(findMedian([100, 20, 3])).toBe(20);
    expect(findPercentile([100, 20, 3], 0.95)).toBe(100);
  });
});

describe('a figure', () => {
  test('has the ratio of the medians, the quartiles and the number of samples', () => {
    const summary = summarize(START);
    expect(summary.ratio).toBe(2);
    expect(summary.ours).toEqual({ value: 200, low: 100, high: 300, count: 3 });
    expect(summary.floor?.value).toBe(100);
  });

  test('takes another value of both sides if it names one', () => {
    const summary = summarize({ ...START, share: 0.95 });
    expect(summary.ours.value).toBe(300);
    expect(summary.floor?.value).toBe(110);
  });

  test.each([
    [{}, 'reaches'],
    [{ reach: 1.9 }, 'misses'],
    [{ lead: 2 }, 'leads'],
    [{ limits: 'value', reach: 199, lead: 100 }, 'misses'],
    [{ limits: 'value', reach: 200, lead: 100 }, 'reaches'],
    [{ limits: 'value', better: 'more', reach: 201, lead: 300 }, 'misses'],
    [{ limits: 'value', better: 'more', reach: 200, lead: 300 }, 'reaches'],
    [{ better: 'more', reach: 0.5, lead: 0.1 }, 'reaches'],
    [{ better: 'more', reach: 0.4, lead: 0.1 }, 'misses'],
  ] as const)('is judged by its goals: %o %s', (changes, verdict) => {
    expect(summarize({ ...START, ...changes }).verdict).toBe(verdict);
  });

  test('without goals is not judged, and without a floor is judged by its value', () => {
    const { reach: _reach, lead: _lead, ...open } = START;
    expect(summarize(open).verdict).toBe('open');
    const { floor: _floor, ...alone } = START;
    expect(summarize({ ...alone, reach: 200, lead: 1 }).verdict).toBe('reaches');
    expect(summarize({ ...alone, reach: 199, lead: 1 }).verdict).toBe('misses');
  });

  test('without samples, with one that is not a number, or with a floor of zero is an error', () => {
    expect(() => summarize({ ...START, ours: [] })).toThrow('no samples');
    expect(() => summarize({ ...START, ours: [1, NaN] })).toThrow('not a number');
    expect(() => summarize({ ...START, floor: [] })).toThrow('no samples');
    expect(() => summarize({ ...START, floor: [0, 0, 1] })).toThrow('floor is zero');
  });
});

describe('the table', () => {
  test('shows value and quartiles, ratio and goals', () => {
    const lines = toTable([summarize(START)]).split('\n');
    expect(lines[1]?.split(/ {2,}/)).toEqual([
      'F2',
      'start',
      '3',
      '100 ms [90–110]',
      '200 ms [100–300]',
      '2.0x',
      '2.2x',
      '1.6x',
      'reaches',
    ]);
  });

  test('shows goals in the unit of a figure without a floor', () => {
    const { floor: _floor, ...alone } = START;
    expect(toTable([summarize({ ...alone, ours: [1234.5] })])).toMatch(
      /1,235 ms +2\.2 ms +1\.6 ms +misses$/,
    );
  });

  test('shows the same figure of an earlier run, and nothing for a new one', () => {
    const before = summarize({ ...START, ours: [400] });
    const other = summarize({ ...START, what: 'other' });
    const [head, , first, second] = toMarkdown([summarize(START), other], [before]).split('\n');
    expect(head).toContain('| floor | before | ours |');
    expect(first).toContain('| 100 ms [90–110] | 400 ms 4.0x | 200 ms [100–300] |');
    expect(second).toContain('| 100 ms [90–110] |  | 200 ms [100–300] |');
  });
});
