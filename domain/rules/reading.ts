import type { ThreadItem } from '../project/rows.ts';
import type { Timetoken } from '../timetoken.ts';

/** Keys of rows whose beginning was in sight of somebody, and of those whose end was. */
export interface Seen {
  readonly begins: ReadonlySet<string>;
  readonly ends: ReadonlySet<string>;
}

type LogItem = Extract<ThreadItem, { readonly source: 'log' }>;

const isLogItem = (item: ThreadItem): item is LogItem => item.source === 'log';

/** Own messages need no reading; a long one was read once its beginning and its end were in sight. */
const isRead = ({ own, key }: LogItem, { begins, ends }: Seen): boolean =>
  own || (begins.has(key) && ends.has(key));

/** The place of the newest entry shown. */
export const toNewest = (items: readonly ThreadItem[]): Timetoken | undefined =>
  items.findLast(isLogItem)?.row.timetoken;

/**
 * Up to where a room is read once the rows in `seen` were in sight: nothing between `first`,
 * the first unread entry, and there was skipped or is missing. Undefined where that is not
 * known, as while the first unread entry is not loaded.
 */
export const toReadUpTo = (
  items: readonly ThreadItem[],
  first: Timetoken | undefined,
  seen: Seen,
): Timetoken | undefined => {
  const newest = items.findLast(isLogItem);
  if (newest === undefined) return undefined;
  // News that is not shown yet changes nothing about what is.
  if (first === undefined || first > newest.row.timetoken) {
    return isRead(newest, seen) ? newest.row.timetoken : undefined;
  }
  const start = items.findLastIndex((item) => isLogItem(item) && item.row.timetoken === first);
  let upTo: Timetoken | undefined;
  for (const item of start === -1 ? [] : items.slice(start).filter(isLogItem)) {
    if (!isRead(item, seen)) break;
    upTo = item.row.timetoken;
    if (item.gapAfter) break;
  }
  return upTo;
};

/** Where what is new begins in an open room. */
export interface NewLine {
  /** The first entry that was unread. */
  readonly from: Timetoken;
  /** Somebody has been in front of it. */
  readonly isSeen: boolean;
  /** Everything below it was read. */
  readonly isDone: boolean;
}

/** Who looks at a room at the moment. */
export interface Attention {
  /** The first unread entry. */
  readonly first: Timetoken | undefined;
  /** Somebody is in front of the room. */
  readonly isPresent: boolean;
  /** Somebody is at its end and has nothing left to read above. */
  readonly isAttended: boolean;
}

/**
 * The line above what is new. It stays where it is while somebody reads down from it, begins
 * anew with what comes after everything was read, and goes when what is below it was read
 * elsewhere before anybody looked here. What comes in while somebody looks needs no line.
 */
export const toNewLine = (
  line: NewLine | undefined,
  { first, isPresent, isAttended }: Attention,
): NewLine | undefined => {
  if (line === undefined || (line.isDone && first !== undefined && !isAttended)) {
    if (first === undefined || isAttended) return line;
    return { from: first, isSeen: isPresent, isDone: false };
  }
  if (first === undefined) {
    if (!line.isSeen) return undefined;
    return line.isDone ? line : { ...line, isDone: true };
  }
  if (!isPresent && !line.isSeen) return line.from === first ? line : { ...line, from: first };
  return line.isSeen || !isPresent ? line : { ...line, isSeen: true };
};
