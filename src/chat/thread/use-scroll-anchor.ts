import { useInsertionEffect } from 'react';
import type { VirtualItem, Virtualizer } from '@tanstack/react-virtual';

import type { ThreadRow } from '../rows/thread-row.ts';

type List = Virtualizer<HTMLDivElement, HTMLDivElement>;

/**
 * Whether the scroll position follows when a row's height differs from the estimate, or changes. It
 * follows for rows above the visible part, even while the user scrolls up, because their quotes
 * load then. It also follows for rows above the anchor, while that may be visible, when they
 * are first measured.
 */
const shouldMoveAlong = (list: List, item: VirtualItem, anchor: number): boolean => {
  const top = list.scrollOffset ?? 0;
  if (list.itemSizeCache.has(item.key)) return item.end <= top;
  if (item.start < top) return true;
  const anchorStart = list.measurementsCache[anchor]?.start;
  const bottom = top + (list.scrollRect?.height ?? 0);
  return item.index < anchor && anchorStart !== undefined && anchorStart < bottom;
};

/**
 * Keeps the row that was first in its position while older ones are added above it: some of them
 * are visible at once, where a wrong estimate of their height would push it.
 */
export const useScrollAnchor = (
  list: List,
  rows: readonly ThreadRow[],
  anchorKey: string | undefined,
): void => {
  // Rows are measured as soon as they are in the DOM, before layout effects run.
  useInsertionEffect(() => {
    const anchor = anchorKey === undefined ? -1 : rows.findIndex((row) => row.key === anchorKey);
    Object.assign(list, {
      shouldAdjustScrollPositionOnItemSizeChange: (item: VirtualItem) =>
        shouldMoveAlong(list, item, anchor),
    });
  }, [list, rows, anchorKey]);
};
