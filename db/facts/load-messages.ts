import { byPosition, type MessageRow } from '#domain/project/rows.ts';
import { parseMessageRow } from '#domain/project/row-schemas.ts';
import type { RoomKey } from '#domain/rooms.ts';
import {
  compareTimetokens,
  isTimetoken,
  type Timetoken,
  TIMETOKEN_MAX,
  TIMETOKEN_ZERO,
} from '#domain/timetoken.ts';

import type { UserDatabase } from '../schema/database.ts';
import { type ReadRows, readRows } from '../schema/readable.ts';
import { parseEntry, parsePositionKey, toPositionKey } from './entry-row.ts';
import { findEntries, findOldRows } from './find-entries.ts';

/**
 * Reads messages. While some are still stored in the format of earlier versions, both tables are
 * read. Call it in a transaction over at least `messageTables`.
 */

/** The messages of a room at or after `from` and before `before`; without these, all. */
export interface Range {
  readonly from?: Timetoken | undefined;
  readonly before?: Timetoken | undefined;
}

/** The stored messages of a room, by position, in the table `entries`. */
export const entriesIn = (
  { entries }: UserDatabase,
  room: RoomKey,
  { from = TIMETOKEN_ZERO, before = TIMETOKEN_MAX }: Range,
) =>
  entries.where('k').between(toPositionKey(room, from), toPositionKey(room, before), true, false);

/** The same messages as earlier versions stored them. */
export const oldRowsIn = (
  { messages }: UserDatabase,
  room: RoomKey,
  { from = TIMETOKEN_ZERO, before = TIMETOKEN_MAX }: Range,
) => messages.where('[room+timetoken]').between([room, from], [room, before], true, false);

/** Messages of both tables, each once, at its smallest position, in ascending order. */
const merge = (
  entries: readonly MessageRow[],
  old: readonly MessageRow[],
): readonly MessageRow[] => {
  if (old.length === 0) return entries;
  const rows = new Map(entries.map((row) => [row.key, row]));
  for (const row of old) {
    const known = rows.get(row.key);
    if (known === undefined || row.timetoken < known.timetoken) rows.set(row.key, row);
  }
  return [...rows.values()].toSorted(byPosition);
};

/** Messages with the number of rows that were read, readable or not. */
export interface ReadMessages extends ReadRows<MessageRow> {
  readonly count: number;
}

/** Parses and merges the rows of both tables, each in ascending order. */
const toMessages = (stored: readonly unknown[], old: readonly unknown[]): ReadMessages => {
  const read = readRows(parseEntry, stored);
  const readOld = readRows(parseMessageRow, old);
  return {
    rows: merge(
      read.rows.map(({ row }) => row),
      readOld.rows,
    ),
    reason: read.reason ?? readOld.reason,
    count: stored.length + old.length,
  };
};

/** The messages of a room in ascending order. */
export const loadMessages = async (
  db: UserDatabase,
  room: RoomKey,
  range: Range,
): Promise<ReadMessages> => {
  const [stored, old] = await Promise.all([
    entriesIn(db, room, range).toArray(),
    db.hasOld ? oldRowsIn(db, room, range).toArray() : [],
  ]);
  return toMessages(stored, old);
};

/** The newest messages of a room, or of those before a position, in ascending order. */
export const loadNewest = async (
  db: UserDatabase,
  room: RoomKey,
  count: number,
  before?: Timetoken,
): Promise<ReadMessages> => {
  const [stored, old] = await Promise.all([
    entriesIn(db, room, { before }).reverse().limit(count).toArray(),
    db.hasOld ? oldRowsIn(db, room, { before }).reverse().limit(count).toArray() : [],
  ]);
  const read = toMessages(stored.toReversed(), old.toReversed());
  return { ...read, rows: read.rows.slice(-count) };
};

/** Messages by their row keys. Without an id, only messages of earlier versions are found. */
export const loadByKey = async (
  db: UserDatabase,
  keys: readonly string[],
): Promise<ReadMessages> => {
  const [stored, old] = await Promise.all([findEntries(db, keys), findOldRows(db, keys)]);
  return toMessages(
    stored.filter((row) => row !== undefined),
    old,
  );
};

/** The positions of at most `count` messages of a room, the newest ones first. */
export const listPositions = async (
  db: UserDatabase,
  room: RoomKey,
  count: number,
  before: Timetoken = TIMETOKEN_MAX,
): Promise<readonly Timetoken[]> => {
  const [keys, oldKeys]: readonly (readonly unknown[])[] = await Promise.all([
    entriesIn(db, room, { before }).reverse().limit(count).primaryKeys(),
    db.hasOld ? oldRowsIn(db, room, { before }).reverse().limit(count).keys() : [],
  ]);
  const positions = (keys ?? []).flatMap((key) => parsePositionKey(key)?.timetoken ?? []);
  const known = new Set(positions);
  const old = (oldKeys ?? []).map((key): unknown => (Array.isArray(key) ? key[1] : undefined));
  const added = old.filter(isTimetoken).filter((position) => !known.has(position));
  return [...positions, ...added].toSorted((a, b) => compareTimetokens(b, a)).slice(0, count);
};
