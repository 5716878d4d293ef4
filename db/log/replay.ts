import { Dexie, type Table } from 'dexie';

import { WorkingSet } from '#domain/project/working-set.ts';
import { isRoomKey, type RoomKey } from '#domain/rooms.ts';

import { isUpToDate, noteProjectionVersion } from './apply.ts';
import type { UserDatabase } from '../schema/database.ts';
import { isFromNewerVersion } from '../schema/readable.ts';
import { type Place, RoomFacts } from './room-facts.ts';
import { PROJECTION_VERSION } from '../schema/schema.ts';
import { META, ROW_VERSION, type Stored } from '../schema/tables.ts';
import { write } from '../schema/write.ts';

const isSame = (a: object | undefined, b: object): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

/**
 * Replaces stored rows by rebuilt ones, and writes only the difference. Rows of a newer version
 * are not changed.
 */
const replaceRows = async <T extends object, K>(
  table: Table<Stored<T>, K>,
  stored: readonly (Stored<T> | undefined)[],
  rebuilt: ReadonlyMap<K, T>,
  toKey: (row: T) => K,
): Promise<void> => {
  const before = new Map<K, Stored<T>>();
  for (const row of stored) if (row !== undefined) before.set(toKey(row), row);
  const puts: Stored<T>[] = [];
  for (const [key, row] of rebuilt) {
    const after = { ...row, v: ROW_VERSION };
    const known = before.get(key);
    if (!isFromNewerVersion(known) && !isSame(known, after)) puts.push(after);
  }
  const deletes = [...before].flatMap(([key, row]) =>
    rebuilt.has(key) || isFromNewerVersion(row) ? [] : [key],
  );
  await Promise.all([
    puts.length > 0 && table.bulkPut(puts),
    deletes.length > 0 && table.bulkDelete(deletes),
  ]);
};

/** The range of the keys of a room's messages. */
const toMessageRange = (room: RoomKey) => [`${room}|`, `${room}|\uffff`] as const;

/**
 * Rebuilds the rows of one room from its facts, in the caller's transaction over all projected
 * tables. Nothing else is in memory. The value is the rebuilt rows.
 */
const replayRoom = async (
  { messages, outbox, coverage, activity }: UserDatabase,
  facts: RoomFacts,
  place: Place,
): Promise<WorkingSet> => {
  const set = new WorkingSet();
  const envelopes = await facts.listFacts(place);
  set.apply(envelopes);
  const queued = new Set(
    envelopes.flatMap(({ fact }) => (fact.type === 'v1.MessageQueued' ? [fact.id] : [])),
  );
  const unsent = (await outbox.toCollection().primaryKeys()).filter((id) => queued.has(id));
  const room = isRoomKey(place) ? place : undefined;
  const [storedMessages, storedItems, storedCoverage, storedActivity] = await Promise.all([
    room === undefined
      ? []
      : messages
          .where('key')
          .between(...toMessageRange(room))
          .toArray(),
    outbox.bulkGet(unsent),
    room === undefined ? undefined : coverage.get(room),
    activity.get(place),
  ]);
  await Promise.all([
    replaceRows(messages, storedMessages, set.messages, ({ key }) => key),
    replaceRows(outbox, storedItems, set.items, ({ id }) => id),
    replaceRows(coverage, [storedCoverage], set.coverage, (row): string => row.room),
    replaceRows(activity, [storedActivity], set.activity, (row) => row.room),
  ]);
  return set;
};

/** Deletes the rows under `keys`, except rows of a newer version. */
const deleteRows = async <T, K>(table: Table<T, K>, keys: readonly K[]): Promise<void> => {
  if (keys.length === 0) return;
  const rows = await table.bulkGet([...keys]);
  await table.bulkDelete(keys.filter((_, i) => !isFromNewerVersion(rows[i])));
};

/** Deletes all rows of a small table but those under `kept`. */
const keepRows = async <T, K>(table: Table<T, K>, kept: ReadonlySet<K>): Promise<void> => {
  const keys = await table.toCollection().primaryKeys();
  await deleteRows(
    table,
    keys.filter((key) => !kept.has(key)),
  );
};

/** Deletes the messages of no room. */
const deleteUnplaced = async (
  { messages }: UserDatabase,
  rooms: readonly RoomKey[],
): Promise<void> => {
  const ranges = rooms.map(toMessageRange).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const ends = [Dexie.minKey, ...ranges.map(([, end]) => end)];
  const between = ends.map((end, i) =>
    messages
      .where('key')
      .between(end, ranges[i]?.[0] ?? Dexie.maxKey)
      .primaryKeys(),
  );
  await deleteRows(messages, (await Promise.all(between)).flat());
};

/**
 * Rebuilds the projections from the log, room by room, except rows of a newer version, and
 * deletes what is not rebuilt. Runs inside the caller's transaction over all of them, so that
 * no reader and no other tab sees a partial table.
 */
export const replayLog = async (db: UserDatabase): Promise<void> => {
  const facts = new RoomFacts(db);
  await facts.read();
  const places = await facts.listPlaces();
  const items = new Set<string>();
  const coverage = new Set<string>();
  const activity = new Set<Place>();
  for (const place of places) {
    const set = await replayRoom(db, facts, place);
    for (const id of set.items.keys()) items.add(id);
    for (const room of set.coverage.keys()) coverage.add(room);
    for (const room of set.activity.keys()) activity.add(room);
  }
  await Promise.all([
    deleteUnplaced(db, places.filter(isRoomKey)),
    keepRows(db.outbox, items),
    keepRows(db.coverage, coverage),
    keepRows(db.activity, activity),
  ]);
  await noteProjectionVersion(db);
};

/** The last room that a rebuild for these reducers finished; empty if there is none. */
const findMark = async (db: UserDatabase): Promise<string> => {
  const row = await db.meta.get(META.rebuild);
  return row?.key === META.rebuild && row.version === PROJECTION_VERSION ? row.finished : '';
};

/** Whether a page of a newer version is rebuilding: its rows must not be replaced. */
const isNewerRebuilding = async (db: UserDatabase): Promise<boolean> => {
  const row = await db.meta.get(META.rebuild);
  return row?.key === META.rebuild && row.version > PROJECTION_VERSION;
};

/**
 * Rebuilds one room after the other, each in its own transaction together with the mark, so that
 * a start after a crash continues there. Several tabs share the work.
 */
export const rebuildRooms = async (db: UserDatabase): Promise<void> => {
  const facts = new RoomFacts(db);
  await facts.read();
  for (const place of await facts.listPlaces()) {
    await write(db, db.logged, async () => {
      if ((await isUpToDate(db)) || (await isNewerRebuilding(db)) || place <= (await findMark(db)))
        return;
      await facts.catchUp();
      await replayRoom(db, facts, place);
      const mark = { key: META.rebuild, version: PROJECTION_VERSION, finished: place };
      await db.meta.put({ ...mark, v: ROW_VERSION });
    });
  }
  await write(db, [db.meta], async () => {
    if (await isNewerRebuilding(db)) return;
    await noteProjectionVersion(db);
    await db.meta.delete(META.rebuild);
  });
};
