import type { DatabaseSync, StatementSync } from 'node:sqlite';

import { ROOM_IDS, type RoomKey, toRoomKey } from '#domain/rooms.ts';
import { type Timetoken, TIMETOKEN_MAX, TIMETOKEN_ZERO } from '#domain/timetoken.ts';

import type { LogRow } from './row.ts';

/** Size limit of one stream event (bytes of UTF-8); the rest follows in the next. */
export const EVENT_BYTES_MAX = 65_536;

/** The rooms a reader may see: all of them, or those of one client. */
export type Scope =
  | { readonly kind: 'all' }
  | { readonly kind: 'client'; readonly clientId: string };

/** Which page of a room, a user log or the staff log is read: the newest entries between bounds. */
export interface PageQuery {
  /** Maximum number of entries. */
  readonly count: number;
  /** The page ends with the entry that reaches this (bytes of UTF-8). */
  readonly bytes?: number | undefined;
  /** The bounds are not part of the page. */
  readonly before?: Timetoken | undefined;
  readonly after?: Timetoken | undefined;
}

export interface PageRows<Row> {
  /** Oldest first. */
  readonly rows: readonly Row[];
  /** Older entries may follow between the bounds. */
  readonly more: boolean;
}

const COLUMNS = 'room, timetoken, publisher, message';

const AFTER = `SELECT ${COLUMNS} FROM log WHERE timetoken > ?1 ORDER BY timetoken LIMIT ?2`;

/** One ordered walk per room, merged by SQLite. */
const AFTER_IN_ROOMS = `${ROOM_IDS.map(
  (_, index) => `SELECT ${COLUMNS} FROM log WHERE room = ?${index + 3} AND timetoken > ?1`,
).join(' UNION ALL ')} ORDER BY timetoken LIMIT ?2`;

const HISTORY = `SELECT ${COLUMNS} FROM log
  WHERE room = ? AND timetoken > ? AND timetoken < ? ORDER BY timetoken DESC LIMIT ?`;

const ORDINAL = `SELECT ordinal FROM log
  WHERE room = ? AND timetoken <= ? ORDER BY timetoken DESC LIMIT 1`;

/** Takes rows up to a number or a total size, but at least one; `isFull` if a limit was reached. */
const takePage = <Row>(
  found: Iterable<Row>,
  max: { readonly count: number; readonly bytes: number },
  toSize: (row: Row) => number,
): { readonly rows: readonly Row[]; readonly isFull: boolean } => {
  const rows: Row[] = [];
  let bytes = 0;
  for (const row of found) {
    rows.push(row);
    bytes += toSize(row);
    if (bytes >= max.bytes) break;
  }
  return { rows, isFull: rows.length === max.count || bytes >= max.bytes };
};

/**
 * Reads a page. The statement takes an owner, which may be a room, the bounds and a number, and
 * lists the newest entries first.
 */
export const readPage = <Row>(
  statement: StatementSync,
  owner: string,
  { count, bytes = Infinity, before = TIMETOKEN_MAX, after = TIMETOKEN_ZERO }: PageQuery,
  toSize: (row: Row) => number,
): PageRows<Row> => {
  const found = statement.iterate(owner, after, before, count) as Iterable<Row>;
  const { rows, isFull } = takePage(found, { count, bytes }, toSize);
  return { rows: rows.toReversed(), more: isFull };
};

const toSize = ({ message }: LogRow): number => Buffer.byteLength(message);

const readOrdinal = (statement: StatementSync, room: RoomKey, upTo: Timetoken): number =>
  Number(statement.get(room, upTo)?.['ordinal'] ?? 0);

/** Reads of the log; each walks an index and never scans beyond its range. */
export const createLogReader = (sql: DatabaseSync) => {
  const after = sql.prepare(AFTER);
  const afterInRooms = sql.prepare(AFTER_IN_ROOMS);
  const history = sql.prepare(HISTORY);
  const ordinal = sql.prepare(ORDINAL);
  return {
    /**
     * The oldest entries after a cursor over all rooms of a scope, in rising order: at most
     * `count`, fewer if they are large, none only if there are none.
     */
    readAfter: (scope: Scope, cursor: Timetoken, count: number): readonly LogRow[] => {
      const rooms =
        scope.kind === 'all' ? [] : ROOM_IDS.map((roomId) => toRoomKey(scope.clientId, roomId));
      const statement = scope.kind === 'all' ? after : afterInRooms;
      const found = statement.iterate(cursor, count, ...rooms) as Iterable<LogRow>;
      return takePage(found, { count, bytes: EVENT_BYTES_MAX }, toSize).rows;
    },
    readHistory: (room: RoomKey, query: PageQuery) => readPage(history, room, query, toSize),
    countAfter: (room: RoomKey, since: Timetoken): number =>
      readOrdinal(ordinal, room, TIMETOKEN_MAX) - readOrdinal(ordinal, room, since),
  };
};
