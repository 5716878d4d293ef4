import {
  type Coverage,
  isSameRow,
  type MessageRow,
  type OutboxItem,
  type ThreadItem,
  toMessageKey,
} from './rows.ts';
import { TIMETOKEN_MAX } from '../timetoken.ts';

type LogItem = Extract<ThreadItem, { readonly source: 'log' }>;

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

const byPlace = (a: MessageRow, b: MessageRow): number => {
  if (a.timetoken !== b.timetoken) return a.timetoken < b.timetoken ? -1 : 1;
  return a.key < b.key ? -1 : Number(a.key > b.key);
};

const isSameItem = (a: OutboxItem, b: OutboxItem): boolean =>
  a.state === b.state && a.reason === b.reason && a.seq === b.seq && a.text === b.text;

const isSameThreadItem = (a: ThreadItem, b: ThreadItem): boolean => {
  if (a.own !== b.own) return false;
  if (a.source === 'log') {
    return b.source === 'log' && a.gapAfter === b.gapAfter && isSameRow(a.row, b.row);
  }
  return b.source === 'outbox' && isSameItem(a.item, b.item);
};

/** Marks the last entry before each gap in the coverage, if another entry follows. */
const markGaps = (log: readonly LogItem[], ranges: Coverage['ranges']): readonly LogItem[] => {
  const before = new Set(
    ranges.slice(0, -1).map(({ to }) => log.findLastIndex(({ row }) => row.timetoken <= to)),
  );
  return log.map((item, i) =>
    before.has(i) && i < log.length - 1 ? { ...item, gapAfter: true } : item,
  );
};

/**
 * A room's thread: log entries in timetoken order, then `uid`'s own unsent messages in order of
 * acceptance. No key appears twice. `ranges` is the coverage of the room.
 */
export const composeThread = (
  rows: readonly MessageRow[],
  items: readonly OutboxItem[],
  uid: string,
  ranges: Coverage['ranges'],
): readonly ThreadItem[] => {
  const entries = rows.toSorted(byPlace).map((row) => toLogItem(row, uid));
  const log = markGaps(entries, ranges);
  const shown = new Set(log.map(({ key }) => key));
  const waiting = items
    .filter((item) => item.uid === uid)
    .toSorted((a, b) => a.seq - b.seq)
    .map(toOutboxItem)
    .filter(({ key }) => !shown.has(key));
  return [...log, ...waiting];
};

/** A thread with entries that are held in memory, each in its position. */
export const addHeld = (
  thread: readonly ThreadItem[],
  held: readonly MessageRow[],
  uid: string,
): readonly ThreadItem[] => {
  const stored = new Set(thread.map(({ key }) => key));
  const added = held.filter(({ key }) => !stored.has(key)).map((row) => toLogItem(row, uid));
  const log = thread.filter((item) => item.source === 'log');
  const waiting = thread.filter(({ source }) => source === 'outbox');
  return [...[...log, ...added].toSorted((a, b) => byPlace(a.row, b.row)), ...waiting];
};

/**
 * The next thread with every unchanged item taken from the previous one, and the previous list
 * itself if nothing changed: components compare by identity.
 */
export const keepIdentities = (
  previous: readonly ThreadItem[],
  next: readonly ThreadItem[],
): readonly ThreadItem[] => {
  const known = new Map(previous.map((item) => [item.key, item]));
  const kept = next.map((item) => {
    const old = known.get(item.key);
    return old && isSameThreadItem(old, item) ? old : item;
  });
  const isUnchanged = kept.length === previous.length && kept.every((k, i) => k === previous[i]);
  return isUnchanged ? previous : kept;
};
