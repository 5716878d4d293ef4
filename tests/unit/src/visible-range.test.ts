import { expect, test } from 'vitest';

import { toVisibleRange } from '#src/chat/thread/visible-range.ts';

type Virtualizer = Parameters<typeof toVisibleRange>[0];

const ROWS = [
  { index: 0, key: 'above', start: 0, end: 100 },
  { index: 1, key: 'whole', start: 100, end: 200 },
  { index: 2, key: 'new', start: 200, end: 300 },
];
const LIST = { getVirtualItems: () => ROWS, getTotalSize: () => 300 } as unknown as Virtualizer;
const SCROLLER = { scrollTop: 100, scrollHeight: 300, clientHeight: 200 } as HTMLElement;

test('visible rows begin and end in the visible range', () => {
  expect(toVisibleRange(LIST, SCROLLER, true, () => true)).toEqual({
    atEnd: true,
    first: 1,
    begins: ['whole', 'new'],
    ends: ['whole', 'new'],
  });
});

test('a row whose height is an estimate is not visible: it may be taller than the window', () => {
  const { begins, ends } = toVisibleRange(LIST, SCROLLER, true, (key) => key !== 'new');
  expect(begins).toEqual(['whole']);
  expect(ends).toEqual(['whole']);
});
