import {
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { measureElement, type ReactVirtualizer, useVirtualizer } from '@tanstack/react-virtual';

import { FIRST_RECT, useOverscan } from '#src/ui/virtual-list.ts';

import { toIncoming } from './incoming.ts';
import { estimateRowHeight } from '../rows/row-height.ts';
import { THREAD_HEAD_PX } from './thread-head.tsx';
import type { ThreadRow } from '../rows/thread-row.ts';
import { createFollowEnd, type FollowEnd, toEndDistance } from './follow-end.ts';
import { type VisibleRange, toVisibleRange } from './visible-range.ts';

/** Scrolls to a row by its index. */
export type ShowRow = (index: number, align: 'start' | 'center') => void;

/** Within this distance of the bottom the thread follows new messages, CSS pixels. */
const END_NEAR_PX = 80;
const FOOT_PX = 12;
/** A scroll position after the end of any thread, CSS pixels. */
const BEYOND_END_PX = 1e9;
/** New rows may wait this many frames for the observer; then their current heights are used. */
const MEASURED_FRAMES = 3;
/** Space above a row that was jumped to, for the line "New messages", CSS pixels. */
const ABOVE_ROW_PX = 56;

type ThreadVirtualizer = ReactVirtualizer<HTMLDivElement, HTMLDivElement>;
type Scroller = RefObject<HTMLDivElement | null>;

/**
 * Height of a row, CSS pixels. While a thread follows its end, the observer measures new rows,
 * before they are painted and all at once: reading heights here would cost a layout for each row.
 */
const createMeasure =
  (follow: FollowEnd, measured: WeakSet<Element>): ThreadVirtualizer['options']['measureElement'] =>
  (element, entry, list) => {
    const isObserved = entry === undefined && list.scrollElement !== null && follow.isOn();
    const item = isObserved ? list.measurementsCache[list.indexFromElement(element)] : undefined;
    if (item !== undefined && !list.itemSizeCache.has(item.key)) return item.size;
    measured.add(element);
    return measureElement(element, entry, list);
  };

const useRows = (
  rows: readonly ThreadRow[],
  scroller: Scroller,
  follow: FollowEnd,
  measured: WeakSet<Element>,
  onChange: (virtualizer: ThreadVirtualizer) => void,
): ThreadVirtualizer =>
  useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    measureElement: useMemo(() => createMeasure(follow, measured), [follow, measured]),
    estimateSize: (index) => estimateRowHeight(rows[index], scroller.current?.clientWidth),
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: END_NEAR_PX,
    scrollPaddingStart: ABOVE_ROW_PX,
    paddingStart: THREAD_HEAD_PX,
    paddingEnd: FOOT_PX,
    overscan: useOverscan(),
    initialRect: FIRST_RECT,
    initialOffset: BEYOND_END_PX,
    directDomUpdates: true,
    directDomUpdatesMode: 'position',
    useFlushSync: false,
    // The hook passes in the value it returns.
    onChange: (virtualizer) => onChange(virtualizer as ThreadVirtualizer),
  });

/** Whether a row of the list is visible, by the key of its message. */
const createIsVisible =
  (virtualizer: ThreadVirtualizer, scroller: Scroller) =>
  (key: string): boolean => {
    const frame = scroller.current?.getBoundingClientRect();
    const row = virtualizer.elementsCache.get(key)?.getBoundingClientRect();
    return (
      frame !== undefined && row !== undefined && row.bottom > frame.top && row.top < frame.bottom
    );
  };

/** Whether the user has just written a message in this window, and not in another one. */
const isOwnNew = (before: readonly ThreadRow[], now: readonly ThreadRow[]): boolean => {
  const last = now.at(-1);
  return (
    last !== undefined &&
    last.own &&
    last.state !== 'sent' &&
    document.hasFocus() &&
    !before.findLast(({ key }) => key === last.key)
  );
};

/**
 * Calls `onChange` when the visible part changes its height: a rotated phone, an opened keyboard, a
 * grown composer.
 */
const useFrameChange = (scroller: Scroller, onChange: () => void): void => {
  const changed = useEffectEvent(onChange);
  useEffect(() => {
    if (scroller.current === null) return undefined;
    const observer = new ResizeObserver(() => changed());
    observer.observe(scroller.current);
    return () => observer.disconnect();
  }, [scroller]);
};

/** The visible range, whether it includes the end, and whether messages arrived below it. */
const useVisibleRange = (
  measured: WeakSet<Element>,
  onVisibleRange: (range: VisibleRange | undefined) => void,
) => {
  const [away, setAway] = useState(false);
  const [unseen, setUnseen] = useState(false);
  useEffect(() => () => onVisibleRange(undefined), [onVisibleRange]);
  const waiting = useRef({ frames: 0, isDue: false, isAway: false });
  const see = (list: ThreadVirtualizer, element: HTMLElement): void => {
    const isAway = toEndDistance(element) > END_NEAR_PX;
    const { current } = waiting;
    // React renders for an equal state, too, while an update is pending.
    if (isAway !== current.isAway) {
      current.isAway = isAway;
      setAway(isAway);
      setUnseen(false);
    }
    const isMeasured = (key: string): boolean => {
      const row = list.elementsCache.get(key);
      return current.frames === 0 || (row !== undefined && measured.has(row));
    };
    onVisibleRange(toVisibleRange(list, element, !isAway, isMeasured));
    const isWhole = list.getVirtualItems().every(({ key }) => isMeasured(String(key)));
    if (isWhole || current.isDue) return;
    current.isDue = true;
    requestAnimationFrame(() => {
      current.isDue = false;
      current.frames -= 1;
      if (element.isConnected) see(list, element);
    });
  };
  const look = (list: ThreadVirtualizer, element: HTMLElement): void => {
    waiting.current.frames = MEASURED_FRAMES;
    see(list, element);
  };
  return { away, unseen, setUnseen, look };
};

/**
 * Scroll position of a thread (spec §4): at the bottom on first display and after the user sends a
 * message, following changes while it is there, otherwise unchanged; `unseen` when messages arrived
 * below. `onVisibleRange` receives the visible range.
 */
export const useThreadScroll = (
  rows: readonly ThreadRow[],
  scroller: Scroller,
  onVisibleRange: (range: VisibleRange | undefined) => void,
) => {
  const [measured] = useState(() => new WeakSet<Element>());
  const { away, unseen, setUnseen, look } = useVisibleRange(measured, onVisibleRange);
  const [follow] = useState<FollowEnd>(createFollowEnd);
  const shown = useRef<readonly ThreadRow[] | undefined>(undefined);

  const update = (list: ThreadVirtualizer): void => {
    const element = scroller.current;
    if (element === null) return;
    if (follow.shouldGo(element)) list.scrollToEnd();
    follow.moved(element);
    look(list, element);
  };
  const isDue = useRef(false);
  /** Runs before the next frame: a layout for each measured row would cost more than the rows. */
  const updateSoon = (list: ThreadVirtualizer): void => {
    if (isDue.current) return;
    isDue.current = true;
    queueMicrotask(() => {
      isDue.current = false;
      update(list);
    });
  };
  const virtualizer = useRows(rows, scroller, follow, measured, updateSoon);
  useFrameChange(scroller, () => update(virtualizer));

  const onRows = useEffectEvent(() => update(virtualizer));
  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = rows;
    if (before === undefined || isOwnNew(before, rows)) virtualizer.scrollToEnd();
    else if (away && toIncoming(before, rows).length > 0) setUnseen(true);
    onRows();
  }, [rows, virtualizer, away, setUnseen]);

  const onScroll = (): void => {
    if (scroller.current !== null) look(virtualizer, scroller.current);
  };
  const onScrollFirst = (): void => {
    if (scroller.current !== null) follow.scrolled(scroller.current);
  };
  const toEnd = (): void => virtualizer.scrollToEnd();
  const showRow: ShowRow = (index, align) => {
    follow.leave();
    virtualizer.scrollToIndex(index, { align });
  };
  const isVisible = createIsVisible(virtualizer, scroller);
  return { virtualizer, away, unseen, isVisible, onScroll, onScrollFirst, toEnd, showRow };
};
