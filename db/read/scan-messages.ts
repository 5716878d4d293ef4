import type { MessageRow } from '#domain/project/rows.ts';
import type { Unsubscribe } from '#domain/ports/kit.ts';
import { isRoomKey, type RoomKey } from '#domain/rooms.ts';
import { isTimetoken, type Timetoken, TIMETOKEN_MAX, TIMETOKEN_ZERO } from '#domain/timetoken.ts';

import type { UserDatabase } from '../schema/database.ts';
import { openPresent, toPromise } from '../schema/open-present.ts';
import { TABLES } from '../schema/tables.ts';

/** A message as the search needs it. */
export type ScannedMessage = Pick<
  MessageRow,
  'key' | 'room' | 'timetoken' | 'publisher' | 'clientName' | 'text'
>;

const TABLE = TABLES.messages;
const BY_PLACE = '[room+timetoken]';

/** Entries of any other shape, or that cannot be shown, are not searched. */
const toScanned = (
  row: Partial<Record<string, unknown>> | undefined,
): readonly ScannedMessage[] => {
  if (row?.['kind'] !== 'message') return [];
  const { key, room, timetoken, publisher, clientName, text } = row;
  const isWhole =
    typeof key === 'string' &&
    isRoomKey(room) &&
    isTimetoken(timetoken) &&
    typeof publisher === 'string' &&
    typeof clientName === 'string' &&
    typeof text === 'string';
  return isWhole ? [{ key, room, timetoken, publisher, clientName, text }] : [];
};

const read = async <T>(
  name: string,
  work: (store: IDBObjectStore) => Promise<T>,
): Promise<T | undefined> => {
  // A worker has to load no library for it.
  const db = await openPresent(indexedDB, name);
  db?.addEventListener('versionchange', () => db.close());
  try {
    return await (db && work(db.transaction(TABLE).objectStore(TABLE)));
  } finally {
    db?.close();
  }
};

/** Every room with messages, and its newest position; one step of the cursor for each room. */
const listRooms = (index: IDBIndex): Promise<ReadonlyMap<RoomKey, Timetoken>> =>
  new Promise((resolve, reject) => {
    const rooms = new Map<RoomKey, Timetoken>();
    const walk = index.openKeyCursor(null, 'prev');
    walk.addEventListener('error', () => reject(walk.error ?? new Error('not read')));
    walk.addEventListener('success', () => {
      const cursor = walk.result;
      if (cursor === null) return resolve(rooms);
      const [room, newest]: readonly unknown[] = Array.isArray(cursor.key) ? cursor.key : [];
      if (isRoomKey(room) && isTimetoken(newest)) rooms.set(room, newest);
      // The greatest key of the room before this one.
      cursor.continue([String(room), '']);
    });
  });

/**
 * Reads every stored message of a user, by the name of the database: room by room, those with the
 * newest messages first, each from its oldest message on.
 */
export const scanMessages = async (
  name: string,
  onRoom: (messages: readonly ScannedMessage[]) => void,
): Promise<void> => {
  await read(name, async (store) => {
    const index = store.index(BY_PLACE);
    const rooms = [...(await listRooms(index))].toSorted(([, a], [, b]) => (a < b ? 1 : -1));
    for (const [room] of rooms) {
      const range = IDBKeyRange.bound([room, TIMETOKEN_ZERO], [room, TIMETOKEN_MAX]);
      const rows: readonly Partial<Record<string, unknown>>[] = await toPromise(
        index.getAll(range),
      );
      onRoom(rows.flatMap(toScanned));
    }
  });
};

/** The messages with these keys that are stored, by the name of the database. */
export const readMessages = async (
  name: string,
  keys: readonly string[],
): Promise<readonly ScannedMessage[]> => {
  const found = await read(name, (store) =>
    Promise.all(
      keys.map((key) => toPromise<Partial<Record<string, unknown>> | undefined>(store.get(key))),
    ),
  );
  return found?.flatMap(toScanned) ?? [];
};

/** Reports which messages a commit of any tab changed, by their keys; `all`: perhaps every one. */
export const watchMessages = (
  db: UserDatabase,
  listener: (changed: 'all' | readonly string[]) => void,
): Unsubscribe =>
  db.rows.watch((changes) => {
    const changed = changes.get(TABLE);
    if (changed !== undefined) listener(changed === 'all' ? 'all' : [...changed.keys()]);
  });
