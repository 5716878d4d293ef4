import type { Timetoken } from '#domain/timetoken.ts';

import type { VisibleRange } from './visible-range.ts';

/** Unread messages above the visible part. */
export interface UnreadAbove {
  readonly count: number;
  /** When the first of them was written: "9:14 AM", "yesterday". */
  readonly since: string;
  /** Index of its row; -1 while that is not loaded. */
  readonly index: number;
}

/** The read state of an open room. */
export interface Reading {
  /** The first entry below the line "New". */
  readonly newFrom: Timetoken | undefined;
  /** The new messages begin with the first loaded row. */
  readonly isAllNew: boolean;
  readonly above: UnreadAbove | undefined;
  /** Receives the visible range when it may have changed; undefined when the thread unmounts. */
  readonly onVisibleRange: (range: VisibleRange | undefined) => void;
  /** Marks everything as read, visible or not. */
  readonly markAllRead: () => void;
}
