import { replayItems } from './apply.ts';
import type { UserDatabase } from './database.ts';
import { type ProjectedTable, setAside, toRowKey } from './quarantine.ts';
import type { BrokenRow } from './readable.ts';
import { attempt } from './storage-errors.ts';
import { TABLES } from './tables.ts';

/**
 * Sets unreadable rows aside after a query met them, in a transaction of its own; outbox
 * rows are made again from the log. Failures are logged: the query has its answer already.
 */
export const repairRows = async (
  db: UserDatabase,
  table: ProjectedTable,
  broken: readonly BrokenRow[],
): Promise<void> => {
  const repaired = await attempt(db, () =>
    db.transaction('rw', [db.log, db.messages, db.outbox, db.coverage, db.quarantine], async () => {
      await setAside(db, table, broken);
      if (table !== TABLES.outbox) return;
      await replayItems(
        db,
        broken.map(({ row }) => String(toRowKey(table, row))),
      );
    }),
  );
  if (!repaired.ok) db.clientLog.write('error', 'STORAGE_REPAIR_FAILED', { ...repaired.error });
};

/**
 * Starts `repairRows` outside the running query: live queries may not write, and timers
 * leave Dexie's zone.
 */
export const repairLater = (
  db: UserDatabase,
  table: ProjectedTable,
  broken: readonly BrokenRow[],
): void => {
  if (broken.length > 0) setTimeout(() => void repairRows(db, table, broken), 0);
};
