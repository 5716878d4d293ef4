import type { Timetoken } from '#domain/timetoken.ts';

import type { Sight } from './sight.ts';

/** Unread messages above what is in sight. */
export interface UnreadAbove {
  readonly count: number;
  /** When the first of them was written: "9:14 AM", "yesterday". */
  readonly since: string;
  /** Index of its row; -1 while that is not loaded. */
  readonly index: number;
}

/** What an open room knows about being read. */
export interface Reading {
  /** The first entry below the line "New". */
  readonly newFrom: Timetoken | undefined;
  /** What is new begins with the first row loaded. */
  readonly isAllNew: boolean;
  readonly above: UnreadAbove | undefined;
  /** Hears what is in sight whenever that may have changed; nothing when the thread goes. */
  readonly onSight: (sight: Sight | undefined) => void;
  /** Notes everything as read, seen or not. */
  readonly markAllRead: () => void;
}
