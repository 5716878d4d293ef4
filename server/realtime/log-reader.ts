import type { DatabaseSync, StatementSync } from 'node:sqlite';

import { ROOM_IDS, type RoomKey, toRoomKey } from '#domain/rooms.ts';
import { type Timetoken, TIMETOKEN_MAX, TIMETOKEN_ZERO } from '#domain/timetoken.ts';

import { EVENT_BYTES_MAX } from './limits.ts';
import type { LogRow } from './log-row.ts';

/** Which rooms a reader may see: all of them, or those of one client. */
export type Scope =
  | { readonly kind: 'all' }
  | { readonly kind: 'client'; readonly clientId: string };

/** Reads of the log; each is a walk along an index, never a scan of what lies outside. */
export interface LogReader {
  /**
   * The oldest entries after a cursor over all rooms of a scope, in rising order: at most
   * `count`, fewer when they are large, none only when there are none.
   */
  readAfter(scope: Scope, cursor: Timetoken, count: number): readonly LogRow[];
  /** The newest `count` entries of a room strictly between the bounds, oldest first. */
  readHistory(query: {
    readonly room: RoomKey;
    readonly count: number;
    readonly before?: Timetoken | undefined;
    readonly after?: Timetoken | undefined;
  }): readonly LogRow[];
  /** How many entries a room holds after a timetoken. */
  countAfter(room: RoomKey, after: Timetoken): number;
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

/** Takes rows until they weigh too much, but always one. */
const takePage = (rows: Iterable<unknown>): readonly LogRow[] => {
  const page: LogRow[] = [];
  let bytes = 0;
  for (const row of rows as Iterable<LogRow>) {
    page.push(row);
    bytes += row.message.length;
    if (bytes >= EVENT_BYTES_MAX) break;
  }
  return page;
};

const readOrdinal = (statement: StatementSync, room: RoomKey, upTo: Timetoken): number =>
  Number(statement.get(room, upTo)?.['ordinal'] ?? 0);

export const createLogReader = (sql: DatabaseSync): LogReader => {
  const after = sql.prepare(AFTER);
  const afterInRooms = sql.prepare(AFTER_IN_ROOMS);
  const history = sql.prepare(HISTORY);
  const ordinal = sql.prepare(ORDINAL);
  return {
    readAfter: (scope, cursor, count) => {
      if (scope.kind === 'all') return takePage(after.iterate(cursor, count));
      const rooms = ROOM_IDS.map((roomId) => toRoomKey(scope.clientId, roomId));
      return takePage(afterInRooms.iterate(cursor, count, ...rooms));
    },
    readHistory: ({ room, count, before = TIMETOKEN_MAX, after: from = TIMETOKEN_ZERO }) =>
      (history.all(room, from, before, count) as unknown as LogRow[]).toReversed(),
    countAfter: (room, since) =>
      readOrdinal(ordinal, room, TIMETOKEN_MAX) - readOrdinal(ordinal, room, since),
  };
};
