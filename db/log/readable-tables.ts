import type { Coverage, OutboxItem } from '#domain/project/rows.ts';
import { parseCoverage, parseOutboxItem, type RowParser } from '#domain/project/row-schemas.ts';
import type { RoomKey } from '#domain/rooms.ts';

import type { UserDatabase } from '../schema/database.ts';
import { readRows } from '../schema/readable.ts';
import { TABLES } from '../schema/tables.ts';
import type { Unreadable } from './apply.ts';
import { rebuildOnce } from './rebuild.ts';

/** Queries on projections that the log itself needs; the others are in `db/read/queries.ts`. */

/** The readable rows. Unreadable ones cause a rebuild afterwards: live queries may not write. */
export const toReadable = <T>(
  db: UserDatabase,
  table: Unreadable['table'],
  parse: RowParser<T>,
  stored: readonly unknown[],
): readonly T[] => {
  const { rows, reason } = readRows(parse, stored);
  // A timer leaves the zone of the query's transaction.
  if (reason !== undefined && db.rebuilt === undefined) {
    setTimeout(() => void rebuildOnce(db, { table, reason }), 0);
  }
  return rows;
};

/** See `Store.listUnsent`. */
export const listUnsent = async (db: UserDatabase): Promise<readonly OutboxItem[]> => {
  const items = toReadable(db, TABLES.outbox, parseOutboxItem, await db.outbox.toArray());
  return items.toSorted((a, b) => a.seq - b.seq);
};

export const findCoverage = async (
  db: UserDatabase,
  room: RoomKey,
): Promise<Coverage | undefined> => {
  const stored = await db.coverage.get(room);
  return toReadable(db, TABLES.coverage, parseCoverage, stored === undefined ? [] : [stored])[0];
};

export const listCoverage = async (db: UserDatabase): Promise<readonly Coverage[]> =>
  toReadable(db, TABLES.coverage, parseCoverage, await db.coverage.toArray());
