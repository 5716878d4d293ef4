import { mergeRanges } from '#domain/project/coverage.ts';
import type { Coverage, OutboxItem } from '#domain/project/rows.ts';
import { parseOutboxItem, type RowParser } from '#domain/project/row-schemas.ts';
import type { RoomKey } from '#domain/rooms.ts';

import { parseCoverageRow } from '../facts/coverage-row.ts';
import type { UserDatabase } from '../schema/database.ts';
import { type ReadRows, readRows, type Unreadable } from '../schema/readable.ts';
import { TABLES, toCoverageKey } from '../schema/tables.ts';
import { rebuildOnce } from './rebuild.ts';

/** Queries on projections that the log itself needs; the others are in `db/read/queries.ts`. */

/** The readable rows. Unreadable ones cause a rebuild afterwards: a query may not write. */
export const toReadable = <T>(
  db: UserDatabase,
  table: Unreadable['table'],
  parse: RowParser<T>,
  stored: readonly unknown[],
): readonly T[] => takeReadable(db, table, readRows(parse, stored));

/** The same for parsed rows. */
export const takeReadable = <T>(
  db: UserDatabase,
  table: Unreadable['table'],
  { rows, reason }: ReadRows<T>,
): readonly T[] => {
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

/**
 * The merged coverage of several rows. Until a room is moved, it also has a row of an earlier
 * version.
 */
const mergeCoverage = (rows: readonly Coverage[]): readonly Coverage[] => {
  const byRoom = new Map<RoomKey, Coverage>();
  for (const row of rows) {
    const known = byRoom.get(row.room);
    const ranges = known ? mergeRanges([...known.ranges, ...row.ranges]) : row.ranges;
    const reachedStart = row.reachedStart || known?.reachedStart === true;
    byRoom.set(row.room, { room: row.room, ranges, reachedStart });
  }
  return [...byRoom.values()];
};

/** The coverage of some rooms by their pages; rooms without any are omitted. */
export const findCoverages = async (
  db: UserDatabase,
  rooms: readonly RoomKey[],
): Promise<readonly Coverage[]> => {
  const stored = await db.coverage.bulkGet([
    ...rooms.map(toCoverageKey),
    ...(db.hasOld ? rooms : []),
  ]);
  const present = stored.filter((row) => row !== undefined);
  return mergeCoverage(toReadable(db, TABLES.coverage, parseCoverageRow, present));
};

/** The coverage of a room by its pages. */
export const findCoverage = async (
  db: UserDatabase,
  room: RoomKey,
): Promise<Coverage | undefined> => (await findCoverages(db, [room]))[0];

/** The coverage of all rooms by their pages. */
export const listCoverage = async (db: UserDatabase): Promise<readonly Coverage[]> =>
  mergeCoverage(toReadable(db, TABLES.coverage, parseCoverageRow, await db.coverage.toArray()));
