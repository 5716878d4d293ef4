import type { Virtualizer } from '@tanstack/react-virtual';

/** What of a thread is in sight. */
export interface Sight {
  /** Whether the newest is, near enough to follow what comes in. */
  readonly atEnd: boolean;
  /** Index of the first row in sight. */
  readonly first: number;
  /** Keys of the rows whose beginning is in sight. */
  readonly begins: readonly string[];
  /** Keys of the rows whose end is in sight. */
  readonly ends: readonly string[];
}

/** About a line of text: so much of a row's edge may be cut off, and must be in sight at least. */
const EDGE_PX = 16;

/** What is in sight of a thread's rows, from their measured places. */
export const toSight = (
  virtualizer: Virtualizer<HTMLDivElement, HTMLDivElement>,
  scroller: HTMLElement,
  atEnd: boolean,
): Sight => {
  const { scrollTop, scrollHeight, clientHeight } = scroller;
  // A short conversation stands at the bottom.
  const above = Math.max(0, scrollHeight - virtualizer.getTotalSize());
  const rows = virtualizer.getVirtualItems().map(({ index, key, start, end }) => ({
    index,
    key: String(key),
    top: start + above - scrollTop,
    bottom: end + above - scrollTop,
  }));
  const keysOf = (chosen: typeof rows): readonly string[] => chosen.map(({ key }) => key);
  return {
    atEnd,
    first: rows.find(({ bottom }) => bottom > EDGE_PX)?.index ?? 0,
    begins: keysOf(rows.filter(({ top }) => top >= -EDGE_PX && top <= clientHeight - EDGE_PX)),
    ends: keysOf(
      rows.filter(({ bottom }) => bottom >= EDGE_PX && bottom <= clientHeight + EDGE_PX),
    ),
  };
};
