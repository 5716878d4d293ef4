import type { ThreadItem } from '../project/rows.ts';
import { isLogItem, type LogItem } from '../project/thread.ts';
import { type Timetoken, TIMETOKEN_MAX } from '../timetoken.ts';

/** Keys of the rows whose first line was visible, and of those whose last line was. */
export interface Seen {
  readonly begins: ReadonlySet<string>;
  readonly ends: ReadonlySet<string>;
}

/**
 * The user's own messages count as read; others once their first and their last line were visible.
 */
const isRead = ({ own, key }: LogItem, { begins, ends }: Seen): boolean =>
  own || (begins.has(key) && ends.has(key));

/** The position of the newest entry shown, or of the user's newest one. */
export const toNewest = (items: readonly ThreadItem[], own = false): Timetoken | undefined =>
  items.findLast((item): item is LogItem => isLogItem(item) && (!own || item.own))?.row.timetoken;

/**
 * The read position of a room after the rows in `seen` were visible: it advances from `first`,
 * the first unread entry, up to the first row that was skipped and up to the first gap.
 * Undefined if it is unknown: while the first unread entry is not loaded, or follows a gap.
 */
export const toReadUpTo = (
  items: readonly ThreadItem[],
  first: Timetoken | undefined,
  seen: Seen,
): Timetoken | undefined => {
  const newest = items.findLast(isLogItem);
  if (newest === undefined) return undefined;
  // Unread entries that are not shown yet do not affect the shown ones.
  if (first === undefined || first > newest.row.timetoken) {
    return isRead(newest, seen) ? newest.row.timetoken : undefined;
  }
  const start = items.findLastIndex((item) => isLogItem(item) && item.row.timetoken === first);
  // Missing messages before it are unread, too.
  const before = items[start - 1];
  if (before && isLogItem(before) && before.gapAfter) return undefined;
  let upTo: Timetoken | undefined;
  for (const item of start === -1 ? [] : items.slice(start).filter(isLogItem)) {
    if (!isRead(item, seen)) break;
    upTo = item.row.timetoken;
    if (item.gapAfter) break;
  }
  return upTo;
};

/** Position of the "New messages" line in an open room. */
export interface NewLine {
  /** The first entry that was unread. */
  readonly from: Timetoken;
  /** It was visible to the user. */
  readonly isSeen: boolean;
  /** Everything below it was read. */
  readonly isDone: boolean;
  /** The user's newest message at that moment. */
  readonly answered?: Timetoken | undefined;
}

/** What the user sees of a room at the moment. */
export interface Attention {
  /** The first unread entry. */
  readonly first: Timetoken | undefined;
  /** The room is visible in the focused window. */
  readonly isPresent: boolean;
  /** The user is at the end of the thread and has nothing left to read above. */
  readonly isFollowing: boolean;
  /** The user's newest message. */
  readonly answered?: Timetoken | undefined;
}

/**
 * The line above the first new message. It stays in place while the user reads on, moves to the
 * next new message once everything was read, and disappears if the messages below were read
 * elsewhere before the user saw it, or once the user has answered after reading everything. Messages
 * that arrive while the user is at the end need no line.
 */
export const toNewLine = (
  before: NewLine | undefined,
  { first, isPresent, isFollowing, answered }: Attention,
): NewLine | undefined => {
  const since = before?.isDone === true ? (before.answered ?? before.from) : TIMETOKEN_MAX;
  const isAnswered = answered !== undefined && answered > since;
  const line = isAnswered ? undefined : before;
  if (line === undefined || (line.isDone && first !== undefined && !isFollowing)) {
    if (first === undefined || isFollowing) return line;
    return { from: first, isSeen: isPresent, isDone: false };
  }
  if (first === undefined) {
    if (!line.isSeen) return undefined;
    return line.isDone ? line : { ...line, isDone: true, answered };
  }
  // The user marked an earlier message as unread.
  if (first < line.from) return { from: first, isSeen: isPresent, isDone: false };
  if (!isPresent && !line.isSeen) return line.from === first ? line : { ...line, from: first };
  return line.isSeen || !isPresent ? line : { ...line, isSeen: true };
};
