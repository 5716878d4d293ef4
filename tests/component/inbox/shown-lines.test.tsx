import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { type Lines, NO_LINES, useLines } from '#src/chat/inbox/use-lines.ts';
import { useShownLines } from '#src/chat/inbox/use-shown-lines.ts';

/** The lists change at most this often, ms. */
const PAUSE_MS = 200;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const createLines = (): Lines => ({ ...NO_LINES, newest: new Map() });

/** What the lists show, and how the source of the lines changes them. */
const render = (first: Lines) => {
  const lists = renderHook(useLines).result;
  const { rerender: change, unmount: leave } = renderHook(useShownLines, { initialProps: first });
  const wait = (ms: number): void => act(() => void vi.advanceTimersByTime(ms));
  return { lists, change, leave, wait };
};

it('a change is shown at once, and those that follow it within 200 ms as one', () => {
  const [first, second, third] = [createLines(), createLines(), createLines()] as const;
  const fourth = createLines();
  const { lists, change, wait } = render(first);
  expect(lists.current).toBe(first);
  change(second);
  change(third);
  wait(PAUSE_MS - 1);
  expect(lists.current).toBe(first);
  wait(1);
  expect(lists.current).toBe(third);
  change(fourth);
  wait(PAUSE_MS - 1);
  expect(lists.current).toBe(third);
  wait(1);
  expect(lists.current).toBe(fourth);
});

it('a change after a pause without another is shown at once', () => {
  const { lists, change, wait } = render(createLines());
  wait(PAUSE_MS);
  expect(vi.getTimerCount()).toBe(0);
  const next = createLines();
  change(next);
  expect(lists.current).toBe(next);
});

it('lines that follow lines without data are shown at once', () => {
  const { lists, change } = render({ ...NO_LINES });
  const known = createLines();
  change(known);
  expect(lists.current).toBe(known);
});

it('without their source the lists show names alone, and no pause ends later', () => {
  const { lists, change, leave } = render(createLines());
  change(createLines());
  leave();
  expect(lists.current).toBe(NO_LINES);
  expect(vi.getTimerCount()).toBe(0);
});
