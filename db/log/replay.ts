import { Dexie, type Table } from 'dexie';

import type { Envelope } from '#domain/envelope.ts';
import { type Received, toReceivedRow } from '#domain/project/received.ts';
import { WorkingSet } from '#domain/project/working-set.ts';
import { isRoomKey, type RoomKey } from '#domain/rooms.ts';

import { isUpToDate, recordProjectionVersion } from '../schema/projection-version.ts';
import { toCoverageRow } from '../facts/coverage-row.ts';
import { storeAcknowledged, storeReceived, toReceivedFact } from '../facts/store-received.ts';
import { afterAll } from '../facts/entry-row.ts';
import type { UserDatabase } from '../schema/database.ts';
import { readEntries } from '../facts/read-entries.ts';
import { isFromNewerVersion } from '../schema/readable.ts';
import { moveOld } from './move-old.ts';
import { type FactScope, RoomFacts } from './room-facts.ts';
import { uncover } from './save-coverage.ts';
import { PROJECTION_VERSION } from '../schema/schema.ts';
import { META, ROW_VERSION, type Stored, toCoverageKey } from '../schema/tables.ts';
import { write } from '../schema/write.ts';

/** Whether two rows are equal, regardless of the version that wrote them. */
const isSame = <T extends object>(a: Stored<T> | undefined, b: Stored<T>): boolean =>
  a !== undefined && JSON.stringify({ ...a, v: 0 }) === JSON.stringify({ ...b, v: 0 });

/**
 * Replaces stored rows with rebuilt ones, and writes only the difference. Rows of a newer version
 * are not changed.
 */
const replaceRows = async <T extends object, K>(
  table: Table<Stored<T>, K>,
  stored: readonly (Stored<T> | undefined)[],
  rebuilt: readonly T[],
  toKey: (row: T) => K,
): Promise<void> => {
  const before = new Map<K, Stored<T>>();
  for (const row of stored) if (row !== undefined) before.set(toKey(row), row);
  const puts: Stored<T>[] = [];
  for (const row of rebuilt) {
    const after = { ...row, v: ROW_VERSION };
    const known = before.get(toKey(row));
    if (!isFromNewerVersion(known) && !isSame(known, after)) puts.push(after);
  }
  const kept = new Set(rebuilt.map(toKey));
  const deletes = [...before].flatMap(([key, row]) =>
    kept.has(key) || isFromNewerVersion(row) ? [] : [key],
  );
  await Promise.all([
    puts.length > 0 && table.bulkPut(puts),
    deletes.length > 0 && table.bulkDelete(deletes),
  ]);
};

const toReceived = ({ seq, fact }: Envelope): readonly { seq: number; fact: Received }[] =>
  'publisher' in fact ? [{ seq, fact }] : [];

/**
 * Loads the stored messages of a room into memory. Received entries are facts and are not rebuilt;
 * an unreadable one is deleted and its position removed from the coverage, so that it is fetched
 * again. A further copy replaces a message that is missing.
 */
const readMessages = async (
  db: UserDatabase,
  room: RoomKey,
  facts: RoomFacts,
  set: WorkingSet,
): Promise<readonly Envelope[]> => {
  const { entries, newer, damaged, positions } = await readEntries(db, room);
  await db.entries.bulkDelete([...damaged]);
  await uncover(db, room, positions);
  const rows = entries.map(({ row }) => row);
  for (const row of [...newer, ...rows]) set.messages.set(row.key, row);
  const envelopes = await facts.listFacts(room);
  const copies = envelopes.flatMap(toReceived);
  const replacements = copies.filter(({ fact }) => !set.messages.has(toReceivedRow(fact).key));
  if (replacements.length > 0) {
    await db.log.bulkDelete(replacements.map(({ seq }) => seq));
    await storeReceived(
      db,
      replacements.map(({ fact }) => fact),
    );
    for (const { fact } of replacements.toReversed()) {
      const row = toReceivedRow(fact);
      set.messages.set(row.key, row);
    }
  }
  set.applyStored([
    ...entries.flatMap((entry) => toReceivedFact(entry) ?? []),
    ...copies.map(({ fact }) => fact),
  ]);
  return envelopes;
};

/**
 * Rebuilds the rows of one room from its facts, in the caller's transaction over all projected
 * tables. Only this room is in memory. The value is the rebuilt rows.
 */
const replayRoom = async (
  db: UserDatabase,
  facts: RoomFacts,
  scope: FactScope,
): Promise<WorkingSet> => {
  const { outbox, coverage, activity } = db;
  const set = new WorkingSet();
  const room = isRoomKey(scope) ? scope : undefined;
  const envelopes = await (room === undefined
    ? facts.listFacts(scope)
    : readMessages(db, room, facts, set));
  const known = new Set(set.messages.keys());
  set.apply(envelopes.filter(({ fact }) => !('publisher' in fact)));
  // Acknowledged messages that are missing.
  const made = [...set.messages.values()].filter(({ key }) => !known.has(key));
  await storeAcknowledged(
    db,
    made.map((row) => ({ row, before: undefined })),
  );
  const queued = new Set(
    envelopes.flatMap(({ fact }) => (fact.type === 'v1.MessageQueued' ? [fact.id] : [])),
  );
  const unsent = (await outbox.toCollection().primaryKeys()).filter((id) => queued.has(id));
  const [storedItems, storedCoverage, storedActivity] = await Promise.all([
    outbox.bulkGet(unsent),
    room === undefined ? undefined : coverage.get(toCoverageKey(room)),
    activity.get(scope),
  ]);
  await Promise.all([
    replaceRows(outbox, storedItems, [...set.items.values()], ({ id }) => id),
    replaceRows(
      coverage,
      [storedCoverage],
      Array.from(set.coverage.values(), toCoverageRow),
      (row) => row.room,
    ),
    replaceRows(activity, [storedActivity], [...set.activity.values()], (row) => row.room),
  ]);
  return set;
};

/** Deletes the rows under `keys`, except rows of a newer version. */
const deleteRows = async <T, K>(table: Table<T, K>, keys: readonly K[]): Promise<void> => {
  if (keys.length === 0) return;
  const rows = await table.bulkGet([...keys]);
  await table.bulkDelete(keys.filter((_, i) => !isFromNewerVersion(rows[i])));
};

/** Deletes all rows of a small table except those under `kept`. */
const keepRows = async <T, K>(table: Table<T, K>, kept: ReadonlySet<K>): Promise<void> => {
  const keys = await table.toCollection().primaryKeys();
  await deleteRows(
    table,
    keys.filter((key) => !kept.has(key)),
  );
};

/** Deletes the messages that belong to none of the rooms. */
const deleteUnplaced = async (
  { entries }: UserDatabase,
  rooms: readonly RoomKey[],
): Promise<void> => {
  const ranges = rooms
    .map((room) => `${room}|`)
    .toSorted()
    .map((prefix) => [prefix, afterAll(prefix)] as const);
  const ends = [Dexie.minKey, ...ranges.map(([, end]) => end)];
  const between = ends.map((end, i) =>
    entries
      .where('k')
      .between(end, ranges[i]?.[0] ?? Dexie.maxKey)
      .primaryKeys(),
  );
  await deleteRows(entries, (await Promise.all(between)).flat());
};

/** Whether a page of a newer version is rebuilding: its rows must not be replaced. */
const isNewerRebuilding = async (db: UserDatabase): Promise<boolean> =>
  ((await db.findMeta(META.rebuild))?.version ?? 0) > PROJECTION_VERSION;

/**
 * Rebuilds the projections from the log and the entries, room by room, except rows of a newer
 * version, and deletes rows that are not rebuilt. Runs inside the caller's transaction over all of
 * them, so that no reader and no other tab sees a partial table.
 */
export const replayLog = async (db: UserDatabase): Promise<void> => {
  await moveOld(db, (work) => work(), true);
  const facts = new RoomFacts(db);
  await facts.read();
  const scopes = await facts.listScopes();
  // This comes first, because one of them may have the identity of a message that is rebuilt.
  await deleteUnplaced(db, scopes.filter(isRoomKey));
  const items = new Set<string>();
  const coverage = new Set<string>();
  const activity = new Set<FactScope>();
  for (const scope of scopes) {
    const set = await replayRoom(db, facts, scope);
    for (const id of set.items.keys()) items.add(id);
    for (const room of set.coverage.keys()) coverage.add(toCoverageKey(room));
    for (const room of set.activity.keys()) activity.add(room);
  }
  await Promise.all([
    keepRows(db.outbox, items),
    keepRows(db.coverage, coverage),
    keepRows(db.activity, activity),
  ]);
  await recordProjectionVersion(db);
  // Of a rebuild that was interrupted.
  if (!(await isNewerRebuilding(db))) await db.meta.delete(META.rebuild);
};

/** The last room that a rebuild for these reducers finished; empty if there is none. */
const findRebuildProgress = async (db: UserDatabase): Promise<string> => {
  const row = await db.findMeta(META.rebuild);
  return row?.version === PROJECTION_VERSION ? row.finished : '';
};

/**
 * Rebuilds one room after the other, each in its own transaction together with the progress mark,
 * so that a start after a crash continues there. Several tabs share the work.
 */
export const rebuildRooms = async (db: UserDatabase): Promise<void> => {
  const facts = new RoomFacts(db);
  await facts.read();
  for (const scope of await facts.listScopes()) {
    await write(db, db.logged, async () => {
      if (
        (await isUpToDate(db)) ||
        (await isNewerRebuilding(db)) ||
        scope <= (await findRebuildProgress(db))
      )
        return;
      await facts.catchUp();
      await replayRoom(db, facts, scope);
      await db.putMeta({ key: META.rebuild, version: PROJECTION_VERSION, finished: scope });
    });
  }
  await write(db, [db.meta], async () => {
    if (await isNewerRebuilding(db)) return;
    await recordProjectionVersion(db);
    await db.meta.delete(META.rebuild);
  });
};
