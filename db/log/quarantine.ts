import type { UserDatabase } from '../schema/database.ts';
import type { BrokenRow } from '../schema/readable.ts';
import type { TABLES } from '../schema/tables.ts';

/** Projected tables, whose rows can be made again from the log. */
export type ProjectedTable =
  | typeof TABLES.messages
  | typeof TABLES.outbox
  | typeof TABLES.coverage
  | typeof TABLES.activity;

const KEY_NAMES = { messages: 'key', outbox: 'id', coverage: 'room', activity: 'room' } as const;

/** Primary key of a row found in `table`, of whatever type it is. */
export const toRowKey = (table: ProjectedTable, row: unknown): unknown =>
  typeof row === 'object' && row !== null ? Reflect.get(row, KEY_NAMES[table]) : undefined;

/**
 * Moves rows nobody can read out of their table, whole and with the reason; nothing is
 * deleted. Runs inside the caller's transaction over the table and the quarantine.
 */
export const setAside = async (
  db: UserDatabase,
  table: ProjectedTable,
  broken: readonly BrokenRow[],
): Promise<void> => {
  if (broken.length === 0) return;
  const at = db.clock.now();
  await db.quarantine.bulkAdd(broken.map(({ row, reason }) => ({ table, row, reason, at })));
  const keys: unknown[] = broken.map(({ row }) => toRowKey(table, row));
  await db.table<unknown, unknown>(table).bulkDelete(keys);
  for (const { reason } of broken) {
    db.clientLog.write('error', 'STORED_ROW_UNREADABLE', { table, reason });
  }
};
