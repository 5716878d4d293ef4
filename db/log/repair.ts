import {
  parseCoverage,
  parseMessageRow,
  parseOutboxItem,
  parseRoomActivity,
} from '#domain/project/row-schemas.ts';

import { replayRows } from './apply.ts';
import type { UserDatabase } from '../schema/database.ts';
import { type ProjectedTable, setAside, toRowKey } from './quarantine.ts';
import { type BrokenRow, readRows } from '../schema/readable.ts';
import { attempt } from '../schema/storage-errors.ts';
import { TABLES } from '../schema/tables.ts';
import { write } from '../schema/write.ts';

const PARSERS = {
  [TABLES.messages]: parseMessageRow,
  [TABLES.outbox]: parseOutboxItem,
  [TABLES.coverage]: parseCoverage,
  [TABLES.activity]: parseRoomActivity,
};

/** Looks again, since another query may have had the same rows repaired meanwhile. */
const findStillBroken = async (
  db: UserDatabase,
  table: ProjectedTable,
  keys: readonly unknown[],
): Promise<readonly BrokenRow[]> => {
  const stored = await db.table<unknown, unknown>(table).bulkGet([...keys]);
  const present = stored.filter((row) => row !== undefined);
  return readRows<unknown>(PARSERS[table], present).broken;
};

/**
 * Sets unreadable rows aside after a query met them and makes them again from the log, in a
 * transaction of its own. Failures are logged: the query has its answer already.
 */
export const repairRows = async (
  db: UserDatabase,
  table: ProjectedTable,
  keys: readonly unknown[],
): Promise<void> => {
  const repaired = await attempt(db, () =>
    write(db, db.logged, async () => {
      const broken = await findStillBroken(db, table, keys);
      await setAside(db, table, broken);
      await replayRows(db, table, broken);
    }),
  );
  if (!repaired.ok && !db.isEnded) {
    db.clientLog.write('error', 'STORAGE_REPAIR_FAILED', { ...repaired.error });
  }
};

/**
 * Starts a repair outside the running query: live queries may not write, and timers leave
 * Dexie's zone.
 */
export const repairLater = (
  db: UserDatabase,
  table: ProjectedTable,
  broken: readonly BrokenRow[],
): void => {
  if (broken.length === 0) return;
  const keys = broken.map(({ row }) => toRowKey(table, row));
  setTimeout(() => void repairRows(db, table, keys), 0);
};

/**
 * Makes unreadable outbox rows again before anything is sent: a row that lost its room or
 * state would otherwise be met by no query, and its message never go out.
 */
export const repairOutbox = async (db: UserDatabase): Promise<void> => {
  const { broken } = readRows(parseOutboxItem, await db.outbox.toArray());
  if (broken.length > 0)
    await repairRows(
      db,
      TABLES.outbox,
      broken.map(({ row }) => toRowKey(TABLES.outbox, row)),
    );
};
