import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type ReactVirtualizer, useVirtualizer } from '@tanstack/react-virtual';

import { toBottomDistance } from '#domain/rules/scroll.ts';

import { toIncoming } from './incoming.ts';
import { estimateRowHeight } from './row-height.ts';
import { THREAD_HEAD_PX } from './thread-head.tsx';
import type { ThreadRow } from './thread-row.ts';

/** This near to the bottom the thread follows what comes in. */
const END_NEAR_PX = 80;
const FOOT_PX = 12;
/** Rows drawn beyond the edges, so that a fast flick shows no blank. */
const OVERSCAN_ROWS = 10;
/** Rows of a first guess at the visible part, before it is measured. */
const FIRST_RECT = { width: 800, height: 900 };

export type ThreadVirtualizer = ReactVirtualizer<HTMLDivElement, HTMLDivElement>;

const useRows = (
  rows: readonly ThreadRow[],
  scroller: RefObject<HTMLDivElement | null>,
): ThreadVirtualizer =>
  useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    estimateSize: (index) => estimateRowHeight(rows[index], scroller.current?.clientWidth),
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: END_NEAR_PX,
    paddingStart: THREAD_HEAD_PX,
    paddingEnd: FOOT_PX,
    overscan: OVERSCAN_ROWS,
    initialRect: FIRST_RECT,
    initialOffset: Number.MAX_SAFE_INTEGER,
    directDomUpdates: true,
    directDomUpdatesMode: 'position',
    useFlushSync: false,
  });

const isOwnNew = (before: readonly ThreadRow[], now: readonly ThreadRow[]): boolean => {
  const last = now.at(-1);
  return (
    last !== undefined &&
    last.own &&
    last.state !== 'sent' &&
    last.key !== before.at(-1)?.key &&
    before.every((row) => row.key !== last.key)
  );
};

/** How far the end is below what is visible, CSS pixels. */
const toEndDistance = (element: HTMLElement): number =>
  toBottomDistance({
    scrollHeight: element.scrollHeight,
    scrollOffset: element.scrollTop,
    visibleHeight: element.clientHeight,
  });

/** A turned phone, an opened keyboard, a grown composer: the end stays in sight. */
const useStayAtEnd = (
  scroller: RefObject<HTMLDivElement | null>,
  virtualizer: ThreadVirtualizer,
  active: boolean,
): void => {
  useEffect(() => {
    const element = scroller.current;
    if (element === null || !active) return undefined;
    let isFirst = true;
    const observer = new ResizeObserver(() => {
      if (!isFirst) virtualizer.scrollToEnd();
      isFirst = false;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, virtualizer, active]);
};

/**
 * Where the thread stands (spec §4): at the bottom on first display and on an own message,
 * following new ones while it is there, otherwise still; `unseen` when something came in
 * below. `onEnd` hears whether the newest is in sight.
 */
export const useThreadScroll = (
  rows: readonly ThreadRow[],
  scroller: RefObject<HTMLDivElement | null>,
  onEnd: (inSight: boolean) => void,
) => {
  const virtualizer = useRows(rows, scroller);
  const [away, setAway] = useState(false);
  const [unseen, setUnseen] = useState(false);
  const shown = useRef<readonly ThreadRow[] | undefined>(undefined);
  useStayAtEnd(scroller, virtualizer, !away);
  useEffect(() => {
    onEnd(!away);
    return () => onEnd(false);
  }, [away, onEnd]);

  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = rows;
    if (before === undefined || isOwnNew(before, rows)) virtualizer.scrollToEnd();
    else if (away && toIncoming(before, rows).length > 0) setUnseen(true);
  }, [rows, virtualizer, away]);

  const onScroll = (): void => {
    const element = scroller.current;
    if (element === null) return;
    const isAway = toEndDistance(element) > END_NEAR_PX;
    setAway(isAway);
    if (!isAway) setUnseen(false);
  };
  const isInSight = (key: string): boolean => {
    const frame = scroller.current?.getBoundingClientRect();
    const row = virtualizer.elementsCache.get(key)?.getBoundingClientRect();
    return (
      frame !== undefined && row !== undefined && row.bottom > frame.top && row.top < frame.bottom
    );
  };
  const toEnd = (): void => virtualizer.scrollToEnd();
  return { virtualizer, away, unseen, isInSight, onScroll, toEnd };
};
