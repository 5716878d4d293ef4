import { Dexie } from 'dexie';

import type { Envelope } from '#domain/envelope.ts';
import { type NeededRows, toNeededRows, WorkingSet } from '#domain/project/working-set.ts';
import {
  parseCoverage,
  parseMessageRow,
  parseOutboxItem,
  parseRoomActivity,
} from '#domain/project/row-schemas.ts';

import type { UserDatabase } from '../schema/database.ts';
import { readRows } from '../schema/readable.ts';
import { PROJECTION_VERSION } from '../schema/schema.ts';
import { META, ROW_VERSION, type Stored, TABLES } from '../schema/tables.ts';

const isPresent = <T>(row: T | undefined): row is T => row !== undefined;

/** A projected table with an unreadable row, and the reason. */
export interface Unreadable {
  readonly table: 'messages' | 'outbox' | 'coverage' | 'activity';
  readonly reason: string;
}

/** Stored rows, and what is wrong with them. */
interface LoadedRows {
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

/** The stored items of `ids`, in that order. Of many ids few are in the outbox. */
const loadItems = async ({ outbox }: UserDatabase, ids: ReadonlySet<string>) => {
  if (ids.size < 2) return outbox.bulkGet([...ids]);
  const keys = await outbox.toCollection().primaryKeys();
  const present = keys.filter((id) => ids.has(id));
  const stored = present.length > 0 ? await outbox.bulkGet(present) : [];
  const items = new Map(present.map((id, i) => [id, stored[i]]));
  return Array.from(ids, (id) => items.get(id));
};

/** Requests the rows that facts change, all at once, in the caller's transaction. */
export const loadRows = async (db: UserDatabase, needed: NeededRows): Promise<LoadedRows> => {
  const [storedMessages, storedItems, storedCoverage, storedActivity] = await Promise.all([
    db.messages.bulkGet([...needed.messages]),
    loadItems(db, needed.items),
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

const writeWorkingSet = async (db: UserDatabase, { set, skipped }: LoadedRows): Promise<void> => {
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

/** Aborts a transaction that has to rebuild the tables, because their code is not loaded yet. */
export class ReplayNeededError extends Error {
  override readonly name = 'ReplayNeededError';
}

/**
 * Projects facts that are already in the log onto the rows loaded for them, and writes the changed
 * ones in bulk. An unreadable row causes a rebuild of all tables by `replay`, once after a start, and
 * is not overwritten otherwise. Runs inside the caller's transaction over all projected tables.
 * Throws `ReplayNeededError` without `replay`.
 */
export const projectOnto = async (
  db: UserDatabase,
  rows: LoadedRows,
  envelopes: readonly Envelope[],
  replay?: (db: UserDatabase) => Promise<void>,
): Promise<void> => {
  const { set, unreadable } = rows;
  if (unreadable !== undefined && db.rebuilt === undefined) {
    if (replay === undefined) throw new ReplayNeededError(unreadable.reason);
    reportUnreadable(db, unreadable);
    db.rebuilt = Promise.resolve();
    // A full disk may refuse the rebuild as late as its commit: the next append then tries again.
    Dexie.currentTransaction.on('abort', () => (db.rebuilt = undefined));
    await replay(db);
    return;
  }
  set.apply(envelopes);
  await writeWorkingSet(db, rows);
};

/** `projectOnto` with the rows that the facts need. */
export const applyEnvelopes = async (
  db: UserDatabase,
  envelopes: readonly Envelope[],
): Promise<void> => {
  const rows = await loadRows(db, toNeededRows(envelopes.map(({ fact }) => fact)));
  await projectOnto(db, rows, envelopes);
};

export const reportUnreadable = (
  { clientLog }: UserDatabase,
  { table, reason }: Unreadable,
): void => clientLog.write('error', 'STORED_ROW_UNREADABLE', { table, reason });

/** The version of the projections as stored; 0 if there are none yet. */
const findProjectionVersion = async (db: UserDatabase): Promise<number> => {
  const row = await db.meta.get(META.projection);
  return row?.key === META.projection ? row.version : 0;
};

/** Whether the tables match this version's reducers, or newer ones. */
export const isUpToDate = async (db: UserDatabase): Promise<boolean> =>
  (await findProjectionVersion(db)) >= PROJECTION_VERSION;

/** Records that the tables match this version's reducers, unless a newer version made them. */
export const noteProjectionVersion = async (db: UserDatabase): Promise<void> => {
  if (await isUpToDate(db)) return;
  await db.meta.put({ key: META.projection, version: PROJECTION_VERSION, v: ROW_VERSION });
};
