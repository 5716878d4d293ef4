import { Dexie } from 'dexie';

import { type PlacedFact, type RowKeys, WorkingSet } from '#domain/project/working-set.ts';
import type { Received } from '#domain/project/received.ts';
import type { MessageRow } from '#domain/project/rows.ts';
import { parseOutboxItem, parseRoomActivity } from '#domain/project/row-schemas.ts';

import { parseCoverageRow, toCoverageRow } from '../facts/coverage-row.ts';
import { type Entry, parseEntry } from '../facts/entry-row.ts';
import { findEntries, findOldRows } from '../facts/find-entries.ts';
import { storeAcknowledged } from '../facts/store-received.ts';
import type { UserDatabase } from '../schema/database.ts';
import { readRows, reportUnreadable, type Unreadable } from '../schema/readable.ts';
import { ROW_VERSION, type Stored, TABLES, toCoverageKey } from '../schema/tables.ts';

const isPresent = <T>(row: T | undefined): row is T => row !== undefined;

/** Stored rows, and the problems found in them. */
export interface LoadedRows {
  readonly set: WorkingSet;
  /** The messages of the set by their row key, without those that an earlier version stored. */
  readonly entries: Map<string, Entry>;
  /** Rows that are stored but not in the set: unreadable, or of a newer version. */
  readonly skipped: RowKeys;
  readonly unreadable: Unreadable | undefined;
}

/** The keys of stored rows that were not read; `stored` is in the order of `keys`. */
const findSkipped = <K>(
  keys: ReadonlySet<K>,
  stored: readonly unknown[],
  read: ReadonlyMap<K, unknown>,
): ReadonlySet<K> =>
  new Set([...keys].filter((key, i) => stored[i] !== undefined && !read.has(key)));

/**
 * The stored items of `ids`, in that order. If there are many ids, few of them are in the outbox.
 */
const loadItems = async ({ outbox }: UserDatabase, ids: ReadonlySet<string>) => {
  if (ids.size < 2) return outbox.bulkGet([...ids]);
  const keys = await outbox.toCollection().primaryKeys();
  const present = keys.filter((id) => ids.has(id));
  const stored = present.length > 0 ? await outbox.bulkGet(present) : [];
  const items = new Map(present.map((id, i) => [id, stored[i]]));
  return Array.from(ids, (id) => items.get(id));
};

/** Reads the messages of the set, including those that an earlier version stored. */
const loadSetMessages = async (db: UserDatabase, needed: ReadonlySet<string>) => {
  const keys = [...needed];
  const [stored, old] = await Promise.all([findEntries(db, keys), findOldRows(db, keys)]);
  const { rows, reason } = readRows(parseEntry, stored.filter(isPresent));
  const entries = new Map(rows.map((entry) => [entry.row.key, entry]));
  const messages = new Map(old.map((row): [string, MessageRow] => [row.key, row]));
  for (const [key, { row }] of entries) {
    const known = messages.get(key);
    if (known === undefined || row.timetoken <= known.timetoken) messages.set(key, row);
  }
  const skipped = new Set(keys.filter((key, i) => stored[i] !== undefined && !entries.has(key)));
  return { entries, messages, skipped, reason };
};

/** Requests the rows that facts change, all at once, in the caller's transaction. */
export const loadRows = async (db: UserDatabase, needed: RowKeys): Promise<LoadedRows> => {
  const [messages, storedItems, storedCoverage, storedActivity] = await Promise.all([
    loadSetMessages(db, needed.messages),
    loadItems(db, needed.items),
    db.coverage.bulkGet(Array.from(needed.rooms, toCoverageKey)),
    db.activity.bulkGet([...needed.activity]),
  ]);
  const items = readRows(parseOutboxItem, storedItems.filter(isPresent));
  const coverage = readRows(parseCoverageRow, storedCoverage.filter(isPresent));
  const activity = readRows(parseRoomActivity, storedActivity.filter(isPresent));
  const set = new WorkingSet();
  for (const [key, row] of messages.messages) set.messages.set(key, row);
  for (const item of items.rows) set.items.set(item.id, item);
  for (const row of coverage.rows) set.coverage.set(row.room, row);
  for (const row of activity.rows) set.activity.set(row.room, row);
  const skipped = {
    messages: messages.skipped,
    items: findSkipped(needed.items, storedItems, set.items),
    rooms: findSkipped(needed.rooms, storedCoverage, set.coverage),
    activity: findSkipped(needed.activity, storedActivity, set.activity),
  };
  const reasons = [
    [TABLES.entries, messages.reason],
    [TABLES.outbox, items.reason],
    [TABLES.coverage, coverage.reason],
    [TABLES.activity, activity.reason],
  ] as const;
  const [unreadable] = reasons.flatMap(([table, reason]) =>
    reason === undefined ? [] : [{ table, reason }],
  );
  return { set, entries: messages.entries, skipped, unreadable };
};

/** Stores the messages that the projection changed: acknowledged messages of the user. */
const placeChanged = (
  db: UserDatabase,
  { set, entries, skipped }: Pick<LoadedRows, 'set' | 'entries' | 'skipped'>,
): Promise<void> => {
  const changed = [...set.changed.messages].filter((key) => !skipped.messages.has(key));
  const rows = changed.map((key) => set.messages.get(key)).filter(isPresent);
  return storeAcknowledged(
    db,
    rows.map((row) => ({ row, before: entries.get(row.key) })),
  );
};

const toStored = <T extends object>(row: T): Stored<T> => ({ ...row, v: ROW_VERSION });

/**
 * The changed rows of one table: those to put and the keys to delete. A skipped row is not changed:
 * without its stored values it would be incomplete.
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

const writeWorkingSet = async (db: UserDatabase, rows: LoadedRows): Promise<void> => {
  const { set, skipped } = rows;
  const items = toWrites(set.changed.items, set.items, skipped.items);
  const coverage = toWrites(set.changed.rooms, set.coverage, skipped.rooms);
  const activity = toWrites(set.changed.activity, set.activity, skipped.activity);
  await Promise.all([
    placeChanged(db, rows),
    items.puts.length > 0 && db.outbox.bulkPut(items.puts),
    items.deletes.length > 0 && db.outbox.bulkDelete(items.deletes),
    coverage.puts.length > 0 && db.coverage.bulkPut(coverage.puts.map(toCoverageRow)),
    activity.puts.length > 0 && db.activity.bulkPut(activity.puts),
  ]);
};

/**
 * Aborts a transaction that has to rebuild the tables, because the code for that is not loaded yet.
 */
export class ReplayNeededError extends Error {
  override readonly name = 'ReplayNeededError';
}

/**
 * Projects facts that are already stored (`received`: entries of rooms' logs) onto the rows loaded
 * for them, and writes the changed rows in bulk. An unreadable row causes a rebuild of all tables
 * by `replay`, once after a start, and is not overwritten otherwise. Runs inside the caller's
 * transaction over all projected tables. Throws `ReplayNeededError` if a rebuild is needed and
 * `replay` is missing.
 */
export const projectOnto = async (
  db: UserDatabase,
  rows: LoadedRows,
  received: readonly Received[],
  others: readonly PlacedFact[],
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
  set.applyStored(received);
  set.apply(others);
  await writeWorkingSet(db, rows);
};
