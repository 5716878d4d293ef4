import type { Envelope } from '#domain/envelope.ts';
import { type NeededRows, toNeededRows, WorkingSet } from '#domain/project/working-set.ts';
import {
  parseCoverage,
  parseMessageRow,
  parseOutboxItem,
  parseRoomActivity,
} from '#domain/project/row-schemas.ts';

import type { UserDatabase } from '../schema/database.ts';
import { findFactsBehind } from './log-facts.ts';
import { type ProjectedTable, setAside, toRowKey } from './quarantine.ts';
import { type BrokenRow, readRows } from '../schema/readable.ts';
import { ROW_VERSION, type Stored, TABLES } from '../schema/tables.ts';

const isPresent = <T>(row: T | undefined): row is T => row !== undefined;

interface Loaded {
  readonly set: WorkingSet;
  /** Rows that were set aside. */
  readonly broken: readonly (readonly [ProjectedTable, readonly BrokenRow[]])[];
}

const loadWorkingSet = async (db: UserDatabase, needed: NeededRows): Promise<Loaded> => {
  const [messages, items, coverage, activity] = await Promise.all([
    db.messages.bulkGet([...needed.messages]),
    db.outbox.bulkGet([...needed.items]),
    db.coverage.bulkGet([...needed.rooms]),
    db.activity.bulkGet([...needed.activity]),
  ]);
  const readMessages = readRows(parseMessageRow, messages.filter(isPresent));
  const readItems = readRows(parseOutboxItem, items.filter(isPresent));
  const readCoverage = readRows(parseCoverage, coverage.filter(isPresent));
  const readActivity = readRows(parseRoomActivity, activity.filter(isPresent));
  const broken = [
    [TABLES.messages, readMessages.broken],
    [TABLES.outbox, readItems.broken],
    [TABLES.coverage, readCoverage.broken],
    [TABLES.activity, readActivity.broken],
  ] as const;
  for (const [table, rows] of broken) await setAside(db, table, rows);
  const set = new WorkingSet();
  for (const row of readMessages.rows) set.messages.set(row.key, row);
  for (const item of readItems.rows) set.items.set(item.id, item);
  for (const row of readCoverage.rows) set.coverage.set(row.room, row);
  for (const row of readActivity.rows) set.activity.set(row.room, row);
  return { set, broken };
};

const toStored = <T extends object>(row: T): Stored<T> => ({ ...row, v: ROW_VERSION });

/** The changed rows of one table: what to put and which keys to delete. */
const toWrites = <K, T extends object>(changed: ReadonlySet<K>, rows: ReadonlyMap<K, T>) => {
  const puts: Stored<T>[] = [];
  const deletes: K[] = [];
  for (const key of changed) {
    const row = rows.get(key);
    if (row === undefined) deletes.push(key);
    else puts.push(toStored(row));
  }
  return { puts, deletes };
};

const writeWorkingSet = async (db: UserDatabase, set: WorkingSet): Promise<void> => {
  const messages = toWrites(set.changed.messages, set.messages);
  const items = toWrites(set.changed.items, set.items);
  const coverage = toWrites(set.changed.rooms, set.coverage);
  const activity = toWrites(set.changed.activity, set.activity);
  await Promise.all([
    messages.puts.length > 0 && db.messages.bulkPut(messages.puts),
    items.puts.length > 0 && db.outbox.bulkPut(items.puts),
    items.deletes.length > 0 && db.outbox.bulkDelete(items.deletes),
    coverage.puts.length > 0 && db.coverage.bulkPut(coverage.puts),
    activity.puts.length > 0 && db.activity.bulkPut(activity.puts),
  ]);
};

/**
 * Projects facts onto the tables: reads the rows they touch in bulk, works in memory,
 * writes back in bulk. Runs inside the caller's transaction over all projected tables.
 */
export const applyEnvelopes = async (
  db: UserDatabase,
  envelopes: readonly Envelope[],
): Promise<void> => {
  const { set, broken } = await loadWorkingSet(db, toNeededRows(envelopes));
  set.apply(envelopes);
  await writeWorkingSet(db, set);
  for (const [table, rows] of broken) await replayRows(db, table, rows);
};

/**
 * Makes rows that were set aside again from the log, so that nothing said or known is lost
 * with a damaged row. Runs inside the caller's transaction, like `applyEnvelopes`.
 */
export const replayRows = async (
  db: UserDatabase,
  table: ProjectedTable,
  broken: readonly BrokenRow[],
): Promise<void> => {
  if (broken.length === 0) return;
  const keys = broken.map(({ row }) => String(toRowKey(table, row)));
  await applyEnvelopes(db, await findFactsBehind(db, table, keys));
};
