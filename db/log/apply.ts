import { Dexie, type Table } from 'dexie';

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
import { isFromNewerVersion, readRows } from '../schema/readable.ts';
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
  /** Rows that are stored but not in the set: unreadable, or of a newer version. */
  readonly skipped: NeededRows;
  readonly unreadable: Unreadable | undefined;
}

/** The keys of stored rows that were not read; `stored` is in the order of `keys`. */
const findSkipped = <K>(
  keys: ReadonlySet<K>,
  stored: readonly unknown[],
  read: ReadonlyMap<K, unknown>,
): ReadonlySet<K> =>
  new Set([...keys].filter((key, i) => stored[i] !== undefined && !read.has(key)));

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
  const skipped = {
    messages: findSkipped(needed.messages, storedMessages, set.messages),
    items: findSkipped(needed.items, storedItems, set.items),
    rooms: findSkipped(needed.rooms, storedCoverage, set.coverage),
    activity: findSkipped(needed.activity, storedActivity, set.activity),
  };
  const reasons = [
    [TABLES.messages, messages.reason],
    [TABLES.outbox, items.reason],
    [TABLES.coverage, coverage.reason],
    [TABLES.activity, activity.reason],
  ] as const;
  const [unreadable] = reasons.flatMap(([table, reason]) =>
    reason === undefined ? [] : [{ table, reason }],
  );
  return { set, skipped, unreadable };
};

const toStored = <T extends object>(row: T): Stored<T> => ({ ...row, v: ROW_VERSION });

/**
 * The changed rows of one table: those to put and the keys to delete. A skipped row is not
 * changed: made without its stored values, it would be incomplete.
 */
const toWrites = <K, T extends object>(
  changed: ReadonlySet<K>,
  rows: ReadonlyMap<K, T>,
  skipped: ReadonlySet<K>,
) => {
  const puts: Stored<T>[] = [];
  const deletes: K[] = [];
  for (const key of changed) {
    if (skipped.has(key)) continue;
    const row = rows.get(key);
    if (row === undefined) deletes.push(key);
    else puts.push(toStored(row));
  }
  return { puts, deletes };
};

const writeWorkingSet = async (db: UserDatabase, { set, skipped }: Loaded): Promise<void> => {
  const messages = toWrites(set.changed.messages, set.messages, skipped.messages);
  const items = toWrites(set.changed.items, set.items, skipped.items);
  const coverage = toWrites(set.changed.rooms, set.coverage, skipped.rooms);
  const activity = toWrites(set.changed.activity, set.activity, skipped.activity);
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
 * tables, once after a start, and is not overwritten otherwise. Runs inside the caller's
 * transaction over all projected tables.
 */
export const applyEnvelopes = async (
  db: UserDatabase,
  envelopes: readonly Envelope[],
): Promise<void> => {
  const loaded = await loadWorkingSet(db, toNeededRows(envelopes));
  const { set, unreadable } = loaded;
  if (unreadable !== undefined && db.rebuilt === undefined) {
    reportUnreadable(db, unreadable);
    db.rebuilt = Promise.resolve();
    // A full disk may refuse the rebuild as late as its commit: the next append then tries again.
    Dexie.currentTransaction.on('abort', () => (db.rebuilt = undefined));
    await replayLog(db);
    return;
  }
  set.apply(envelopes);
  await writeWorkingSet(db, loaded);
};

export const reportUnreadable = (
  { clientLog }: UserDatabase,
  { table, reason }: Unreadable,
): void => clientLog.write('error', 'STORED_ROW_UNREADABLE', { table, reason });

/** The version of the projections as stored; 0 if there are none yet. */
export const findProjectionVersion = async (db: UserDatabase): Promise<number> => {
  const row = await db.meta.get(META.projection);
  return row?.key === META.projection ? row.version : 0;
};

const deleteExceptNewer = async <T, K>(table: Table<T, K>): Promise<void> => {
  const newer = await table.filter(isFromNewerVersion).toArray();
  await table.clear();
  if (newer.length > 0) await table.bulkPut(newer);
};

/**
 * Drops the projections, except rows of a newer version, and rebuilds them from the log, in
 * chunks. Runs inside the caller's transaction over all of them, so that no reader and no other
 * tab sees a partial table.
 */
export const replayLog = async (db: UserDatabase): Promise<void> => {
  const { messages, outbox, coverage, activity } = db;
  await Promise.all([
    deleteExceptNewer(messages),
    deleteExceptNewer(outbox),
    deleteExceptNewer(coverage),
    deleteExceptNewer(activity),
  ]);
  for (let after = 0; ;) {
    const rows = await db.log.where('seq').above(after).limit(REBUILD_CHUNK_SIZE).toArray();
    await applyEnvelopes(db, toKnownEnvelopes(rows));
    const last = rows.at(-1);
    if (last === undefined || rows.length < REBUILD_CHUNK_SIZE) break;
    after = last.seq;
  }
  if ((await findProjectionVersion(db)) > PROJECTION_VERSION) return;
  await db.meta.put({ key: META.projection, version: PROJECTION_VERSION, v: ROW_VERSION });
};
