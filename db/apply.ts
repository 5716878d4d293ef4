import type { Envelope } from '#domain/envelope.ts';
import { type NeededRows, toNeededRows, WorkingSet } from '#domain/project/working-set.ts';
import { parseCoverage, parseMessageRow, parseOutboxItem } from '#domain/schemas/rows.ts';
import { parseEnvelope } from '#domain/upcast.ts';

import type { UserDatabase } from './database.ts';
import { setAside, toRowKey } from './quarantine.ts';
import { type BrokenRow, readRows } from './readable.ts';
import { ROW_VERSION, type Stored, TABLES } from './tables.ts';

const isPresent = <T>(row: T | undefined): row is T => row !== undefined;

interface Loaded {
  readonly set: WorkingSet;
  /** Outbox rows that were set aside. */
  readonly brokenItems: readonly string[];
}

const loadWorkingSet = async (db: UserDatabase, needed: NeededRows): Promise<Loaded> => {
  const [messages, items, coverage] = await Promise.all([
    db.messages.bulkGet([...needed.messages]),
    db.outbox.bulkGet([...needed.items]),
    db.coverage.bulkGet([...needed.rooms]),
  ]);
  const readMessages = readRows(parseMessageRow, messages.filter(isPresent));
  const readItems = readRows(parseOutboxItem, items.filter(isPresent));
  const readCoverage = readRows(parseCoverage, coverage.filter(isPresent));
  await setAside(db, TABLES.messages, readMessages.broken);
  await setAside(db, TABLES.outbox, readItems.broken);
  await setAside(db, TABLES.coverage, readCoverage.broken);
  const set = new WorkingSet();
  for (const row of readMessages.rows) set.messages.set(row.key, row);
  for (const item of readItems.rows) set.items.set(item.id, item);
  for (const row of readCoverage.rows) set.coverage.set(row.room, row);
  return { set, brokenItems: readItems.broken.map(toItemId) };
};

const toItemId = ({ row }: BrokenRow): string => String(toRowKey(TABLES.outbox, row));

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
  await Promise.all([
    messages.puts.length > 0 && db.messages.bulkPut(messages.puts),
    items.puts.length > 0 && db.outbox.bulkPut(items.puts),
    items.deletes.length > 0 && db.outbox.bulkDelete(items.deletes),
    coverage.puts.length > 0 && db.coverage.bulkPut(coverage.puts),
  ]);
};

/** The facts of log rows this version knows; others stay in the log and are passed over. */
export const toKnownEnvelopes = (rows: readonly unknown[]): readonly Envelope[] =>
  rows.flatMap((row) => {
    const parsed = parseEnvelope(row);
    return parsed.kind === 'known' ? [parsed.envelope] : [];
  });

/**
 * Projects facts onto the tables: reads the rows they touch in bulk, works in memory,
 * writes back in bulk. Runs inside the caller's transaction over all projected tables.
 */
export const applyEnvelopes = async (
  db: UserDatabase,
  envelopes: readonly Envelope[],
): Promise<void> => {
  const { set, brokenItems } = await loadWorkingSet(db, toNeededRows(envelopes));
  set.apply(envelopes);
  await writeWorkingSet(db, set);
  await replayItems(db, brokenItems);
};

const LOCAL_KINDS = ['queued', 'published', 'failed', 'retried', 'discarded'];

/**
 * Makes outbox rows that were set aside again from the log, so that an accepted message
 * outlives its damaged row. Runs inside the caller's transaction, like `applyEnvelopes`.
 */
export const replayItems = async (db: UserDatabase, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  const prefixes = ids.flatMap((id) => LOCAL_KINDS.map((kind) => `${kind}|${id}`));
  const stored = await db.log.where('key').startsWithAnyOf(prefixes).toArray();
  const wanted = new Set(ids);
  const envelopes = toKnownEnvelopes(stored)
    .filter(({ fact }) => 'id' in fact && fact.id !== undefined && wanted.has(fact.id))
    .toSorted((a, b) => a.seq - b.seq);
  await applyEnvelopes(db, envelopes);
};
