import type { Virtualizer } from '@tanstack/react-virtual';

export interface VisibleRange {
  /** Whether the newest message is visible, or close enough to follow new ones. */
  readonly atEnd: boolean;
  /** Index of the first visible row. */
  readonly first: number;
  /** Keys of the rows whose first line is visible. */
  readonly begins: readonly string[];
  /** Keys of the rows whose last line is visible. */
  readonly ends: readonly string[];
}

/** About a line of text: how much of a row's edge may be cut off, and must at least be visible. */
const EDGE_PX = 16;

/**
 * The visible range of a thread's rows, from their positions. For a row whose height is still an
 * estimate, neither line counts as visible.
 */
export const toVisibleRange = (
  virtualizer: Virtualizer<HTMLDivElement, HTMLDivElement>,
  scroller: HTMLElement,
  atEnd: boolean,
  isMeasured: (key: string) => boolean,
): VisibleRange => {
  const { scrollTop, scrollHeight, clientHeight } = scroller;
  // A short conversation is aligned to the bottom.
  const above = Math.max(0, scrollHeight - virtualizer.getTotalSize());
  const rows = virtualizer.getVirtualItems().map(({ index, key, start, end }) => ({
    index,
    key: String(key),
    top: start + above - scrollTop,
    bottom: end + above - scrollTop,
  }));
  const keysOf = (chosen: typeof rows): readonly string[] =>
    chosen.map(({ key }) => key).filter(isMeasured);
  return {
    atEnd,
    first: rows.find(({ bottom }) => bottom > EDGE_PX)?.index ?? 0,
    begins: keysOf(rows.filter(({ top }) => top >= -EDGE_PX && top <= clientHeight - EDGE_PX)),
    ends: keysOf(
      rows.filter(({ bottom }) => bottom >= EDGE_PX && bottom <= clientHeight + EDGE_PX),
    ),
  };
};
