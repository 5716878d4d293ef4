import type { Envelope } from '#domain/envelope.ts';
import { type NeededRows, toNeededRows, WorkingSet } from '#domain/project/working-set.ts';
import {
  parseCoverage,
  parseMessageRow,
  parseOutboxItem,
  parseRoomActivity,
} from '#domain/project/row-schemas.ts';

import type { UserDatabase } from '../schema/database.ts';
import { REBUILD_CHUNK_SIZE } from '../schema/limits.ts';
import { toKnownEnvelopes } from './log-facts.ts';
import { readRows } from '../schema/readable.ts';
import { PROJECTION_VERSION } from '../schema/schema.ts';
import { META, ROW_VERSION, type Stored, TABLES } from '../schema/tables.ts';

const isPresent = <T>(row: T | undefined): row is T => row !== undefined;

/** A projected table with an unreadable row, and the reason. */
export interface Unreadable {
  readonly table: 'messages' | 'outbox' | 'coverage' | 'activity';
  readonly reason: string;
}

interface Loaded {
  readonly set: WorkingSet;
  readonly unreadable: Unreadable | undefined;
}

const loadWorkingSet = async (db: UserDatabase, needed: NeededRows): Promise<Loaded> => {
  const [storedMessages, storedItems, storedCoverage, storedActivity] = await Promise.all([
    db.messages.bulkGet([...needed.messages]),
    db.outbox.bulkGet([...needed.items]),
    db.coverage.bulkGet([...needed.rooms]),
    db.activity.bulkGet([...needed.activity]),
  ]);
  const messages = readRows(parseMessageRow, storedMessages.filter(isPresent));
  const items = readRows(parseOutboxItem, storedItems.filter(isPresent));
  const coverage = readRows(parseCoverage, storedCoverage.filter(isPresent));
  const activity = readRows(parseRoomActivity, storedActivity.filter(isPresent));
  const set = new WorkingSet();
  for (const row of messages.rows) set.messages.set(row.key, row);
  for (const item of items.rows) set.items.set(item.id, item);
  for (const row of coverage.rows) set.coverage.set(row.room, row);
  for (const row of activity.rows) set.activity.set(row.room, row);
  const reasons = [
    [TABLES.messages, messages.reason],
    [TABLES.outbox, items.reason],
    [TABLES.coverage, coverage.reason],
    [TABLES.activity, activity.reason],
  ] as const;
  const [unreadable] = reasons.flatMap(([table, reason]) =>
    reason === undefined ? [] : [{ table, reason }],
  );
  return { set, unreadable };
};

const toStored = <T extends object>(row: T): Stored<T> => ({ ...row, v: ROW_VERSION });

/** The changed rows of one table: those to put and the keys to delete. */
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
 * Projects facts that are already in the log onto the tables: reads the affected rows in bulk,
 * works in memory, and writes them back in bulk. An unreadable row causes a rebuild of all
 * tables, once after a start. Runs inside the caller's transaction over all projected tables.
 */
export const applyEnvelopes = async (
  db: UserDatabase,
  envelopes: readonly Envelope[],
): Promise<void> => {
  const { set, unreadable } = await loadWorkingSet(db, toNeededRows(envelopes));
  if (unreadable !== undefined && db.rebuilt === undefined) {
    reportUnreadable(db, unreadable);
    db.rebuilt = Promise.resolve();
    await replayLog(db);
    return;
  }
  set.apply(envelopes);
  await writeWorkingSet(db, set);
};

export const reportUnreadable = (
  { clientLog }: UserDatabase,
  { table, reason }: Unreadable,
): void => clientLog.write('error', 'STORED_ROW_UNREADABLE', { table, reason });

/**
 * Drops the projections and rebuilds them from the log, in chunks. Runs inside the caller's
 * transaction over all of them, so that no reader and no other tab sees a partial table.
 */
export const replayLog = async (db: UserDatabase): Promise<void> => {
  const { messages, outbox, coverage, activity } = db;
  await Promise.all([messages, outbox, coverage, activity].map((table) => table.clear()));
  for (let after = 0; ;) {
    const rows = await db.log.where('seq').above(after).limit(REBUILD_CHUNK_SIZE).toArray();
    await applyEnvelopes(db, toKnownEnvelopes(rows));
    const last = rows.at(-1);
    if (last === undefined || rows.length < REBUILD_CHUNK_SIZE) break;
    after = last.seq;
  }
  await db.meta.put({ key: META.projection, version: PROJECTION_VERSION, v: ROW_VERSION });
};
