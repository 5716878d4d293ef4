import { useInsertionEffect } from 'react';
import type { VirtualItem, Virtualizer } from '@tanstack/react-virtual';

import type { ThreadRow } from '../rows/thread-row.ts';

type List = Virtualizer<HTMLDivElement, HTMLDivElement>;

/**
 * Whether the scroll position follows when a row's height differs from the estimate, or changes. It
 * follows for rows above the visible part, even while the user scrolls up, because their quotes
 * load then. It also follows for rows above the pinned one, while that may be visible, when they
 * are first measured.
 */
const shouldMoveAlong = (list: List, item: VirtualItem, pinned: number): boolean => {
  const top = list.scrollOffset ?? 0;
  if (list.itemSizeCache.has(item.key)) return item.end <= top;
  if (item.start < top) return true;
  const pinnedStart = list.measurementsCache[pinned]?.start;
  const bottom = top + (list.scrollRect?.height ?? 0);
  return item.index < pinned && pinnedStart !== undefined && pinnedStart < bottom;
};

/**
 * Keeps the row that was first in its position while older ones are added above it: some of them
 * are visible at once, where a wrong estimate of their height would push it.
 */
export const usePinnedRow = (
  list: List,
  rows: readonly ThreadRow[],
  pinnedKey: string | undefined,
): void => {
  // Rows are measured as soon as they are in the DOM, before layout effects run.
  useInsertionEffect(() => {
    const pinned = pinnedKey === undefined ? -1 : rows.findIndex((row) => row.key === pinnedKey);
    Object.assign(list, {
      shouldAdjustScrollPositionOnItemSizeChange: (item: VirtualItem) =>
        shouldMoveAlong(list, item, pinned),
    });
  }, [list, rows, pinnedKey]);
};
