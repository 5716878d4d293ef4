import { describe, expect, test } from 'vitest';

import { type Figure, findMedian, findPercentile, summarize } from '#tests/bench/figure.ts';
import { toMarkdown, toTable } from '#tests/bench/table.ts';

const START: Figure = {
  id: 'F2',
  what: 'start',
  unit: 'ms',
  measured: [300, 100, 200],
  floor: [90, 100, 110],
  target: 2.2,
  stretch: 1.6,
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
  test('contains the ratio of the medians, the quartiles and the number of samples', () => {
    const summary = summarize(START);
    expect(summary.ratio).toBe(2);
    expect(summary.measured).toEqual({ value: 200, low: 100, high: 300, count: 3 });
    expect(summary.floor?.value).toBe(100);
  });

  test('uses another value of both sides if it names one', () => {
    const summary = summarize({ ...START, share: 0.95 });
    expect(summary.measured.value).toBe(300);
    expect(summary.floor?.value).toBe(110);
  });

  test.each([
    [{}, 'met'],
    [{ target: 1.9 }, 'missed'],
    [{ stretch: 2 }, 'exceeded'],
    [{ limits: 'value', target: 199, stretch: 100 }, 'missed'],
    [{ limits: 'value', target: 200, stretch: 100 }, 'met'],
    [{ limits: 'value', better: 'more', target: 201, stretch: 300 }, 'missed'],
    [{ limits: 'value', better: 'more', target: 200, stretch: 300 }, 'met'],
    [{ better: 'more', target: 0.5, stretch: 0.1 }, 'met'],
    [{ better: 'more', target: 0.4, stretch: 0.1 }, 'missed'],
  ] as const)('is judged by its targets: %o %s', (changes, verdict) => {
    expect(summarize({ ...START, ...changes }).verdict).toBe(verdict);
  });

  test('without targets is not judged, and without a floor is judged by its value', () => {
    const { target: _target, stretch: _stretch, ...open } = START;
    expect(summarize(open).verdict).toBe('open');
    const { floor: _floor, ...alone } = START;
    expect(summarize({ ...alone, target: 200, stretch: 1 }).verdict).toBe('met');
    expect(summarize({ ...alone, target: 199, stretch: 1 }).verdict).toBe('missed');
  });

  test('without samples, with one that is not a number, or with a floor of zero is an error', () => {
    expect(() => summarize({ ...START, measured: [] })).toThrow('no samples');
    expect(() => summarize({ ...START, measured: [1, NaN] })).toThrow('not a number');
    expect(() => summarize({ ...START, floor: [] })).toThrow('no samples');
    expect(() => summarize({ ...START, floor: [0, 0, 1] })).toThrow('floor is zero');
  });
});

describe('the table', () => {
  test('shows value and quartiles, ratio and targets', () => {
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
      'met',
    ]);
  });

  test('shows targets in the unit of a figure without a floor', () => {
    const { floor: _floor, ...alone } = START;
    expect(toTable([summarize({ ...alone, measured: [1234.5] })])).toMatch(
      /1,235 ms +2\.2 ms +1\.6 ms +missed$/,
    );
  });

  test('shows the same figure of an earlier run, and nothing for a new one', () => {
    const before = summarize({ ...START, measured: [400] });
    const other = summarize({ ...START, what: 'other' });
    const [head, , first, second] = toMarkdown([summarize(START), other], [before]).split('\n');
    expect(head).toContain('| floor | before | measured |');
    expect(first).toContain('| 100 ms [90–110] | 400 ms 4.0x | 200 ms [100–300] |');
    expect(second).toContain('| 100 ms [90–110] |  | 200 ms [100–300] |');
  });
});
