import {
  byPosition,
  type Coverage,
  isSameRow,
  type MessageRow,
  type OutboxItem,
  type ThreadItem,
  toMessageKey,
} from './rows.ts';
import { TIMETOKEN_MAX, TIMETOKEN_ZERO } from '../timetoken.ts';

/** An item of the room's log. */
export type LogItem = Extract<ThreadItem, { readonly source: 'log' }>;

const toLogItem = (row: MessageRow, uid: string): LogItem => ({
  source: 'log',
  key: row.key,
  own: row.publisher === uid,
  row,
  gapAfter: false,
});

const toOutboxItem = (item: OutboxItem): ThreadItem => ({
  source: 'outbox',
  key: toMessageKey(item.room, item.uid, item.id, TIMETOKEN_MAX),
  own: true,
  item,
});

const isSameItem = (a: OutboxItem, b: OutboxItem): boolean =>
  a.state === b.state && a.reason === b.reason && a.seq === b.seq && a.text === b.text;

const isSameThreadItem = (a: ThreadItem, b: ThreadItem): boolean => {
  if (a.own !== b.own) return false;
  if (a.source === 'log') {
    return b.source === 'log' && a.gapAfter === b.gapAfter && isSameRow(a.row, b.row);
  }
  return b.source === 'outbox' && isSameItem(a.item, b.item);
};

/**
 * The indices of the entries before each gap in the coverage, if another entry follows. If no entry
 * before a gap is shown, the index of the last entry inside it (delivered by an incomplete stream).
 * The same applies to entries before all covered ranges.
 */
const findGaps = (rows: readonly MessageRow[], ranges: Coverage['ranges']): ReadonlySet<number> => {
  const gaps = new Set(
    ranges.map(({ from }, i) => {
      const end = ranges[i - 1]?.to ?? TIMETOKEN_ZERO;
      const last = rows.findLastIndex(({ timetoken }) => timetoken <= end);
      return last === -1 ? rows.findLastIndex(({ timetoken }) => timetoken < from) : last;
    }),
  );
  gaps.delete(rows.length - 1);
  return gaps;
};

export const isLogItem = (item: ThreadItem): item is LogItem => item.source === 'log';

/** The items of sorted rows; an item of an unchanged row is taken from the previous thread. */
const toLogItems = (
  rows: readonly MessageRow[],
  uid: string,
  ranges: Coverage['ranges'],
  previous: readonly ThreadItem[],
): readonly LogItem[] => {
  const gaps = findGaps(rows, ranges);
  let next = 0;
  return rows.map((row, i) => {
    const gapAfter = gaps.has(i);
    let known = previous[next];
    while (known !== undefined && isLogItem(known) && byPosition(known.row, row) < 0) {
      next += 1;
      known = previous[next];
    }
    if (known?.source === 'log' && known.row === row && known.gapAfter === gapAfter) return known;
    const item = { ...toLogItem(row, uid), gapAfter };
    return known !== undefined && isLogItem(known) && isSameThreadItem(known, item) ? known : item;
  });
};

/**
 * A room's thread: log entries in timetoken order, then `uid`'s own unsent messages in order of
 * acceptance. No key appears twice. `ranges` is the coverage of the room. Unchanged items are
 * taken from the previous thread, and the thread itself if nothing changed: components compare
 * by identity.
 */
export const composeThread = (
  rows: readonly MessageRow[],
  items: readonly OutboxItem[],
  uid: string,
  ranges: Coverage['ranges'],
  previous: readonly ThreadItem[] = [],
): readonly ThreadItem[] => {
  const log = toLogItems(rows.toSorted(byPosition), uid, ranges, previous);
  const known = new Map(
    previous.filter(({ source }) => source === 'outbox').map((item) => [item.key, item]),
  );
  const unsent = items.filter((item) => item.uid === uid).toSorted((a, b) => a.seq - b.seq);
  const waiting = unsent.map((item) => {
    const next = toOutboxItem(item);
    const old = known.get(next.key);
    return old && isSameThreadItem(old, next) ? old : next;
  });
  const keys = new Set(waiting.map(({ key }) => key));
  const sent = new Set(log.filter(({ key }) => keys.has(key)).map(({ key }) => key));
  const thread = [...log, ...waiting.filter(({ key }) => !sent.has(key))];
  const isSame = thread.length === previous.length && thread.every((it, i) => it === previous[i]);
  return isSame ? previous : thread;
};

/**
 * Rows in timetoken order with some rows added, replaced or (undefined) removed, by key. Rows that
 * look the same are kept.
 */
export const replaceRows = (
  rows: readonly MessageRow[],
  changed: ReadonlyMap<string, MessageRow | undefined>,
): readonly MessageRow[] => {
  if (changed.size === 0) return rows;
  const added = new Map(changed);
  const kept = rows.filter((row) => {
    if (!changed.has(row.key)) return true;
    const next = changed.get(row.key);
    if (next === undefined || row.publisher !== next.publisher || !isSameRow(row, next)) {
      return false;
    }
    added.delete(row.key);
    return true;
  });
  const newRows = [...added.values()].filter((row) => row !== undefined);
  return newRows.length === 0 ? kept : [...kept, ...newRows].toSorted(byPosition);
};

/** A thread with entries that are held in memory, each at its position. */
export const addHeld = (
  thread: readonly ThreadItem[],
  held: readonly MessageRow[],
  uid: string,
): readonly ThreadItem[] => {
  const stored = new Set(thread.map(({ key }) => key));
  const added = held.filter(({ key }) => !stored.has(key)).map((row) => toLogItem(row, uid));
  const log = thread.filter((item) => item.source === 'log');
  const waiting = thread.filter(({ source }) => source === 'outbox');
  return [...[...log, ...added].toSorted((a, b) => byPosition(a.row, b.row)), ...waiting];
};
