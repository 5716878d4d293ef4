import { type MessageRow, parseMessageKey } from '#domain/project/rows.ts';
import type { Unsubscribe } from '#domain/ports/kit.ts';
import { isRoomKey, type RoomKey } from '#domain/rooms.ts';
import {
  isTimetoken,
  laterOf,
  type Timetoken,
  TIMETOKEN_MAX,
  TIMETOKEN_ZERO,
} from '#domain/timetoken.ts';

import {
  afterAll,
  parseEntry,
  parsePositionKey,
  toIdentity,
  toPositionKey,
} from '../facts/entry-row.ts';
import type { UserDatabase } from '../schema/database.ts';
import { openPresent, toPromise } from '../schema/open-present.ts';
import { TABLES } from '../schema/tables.ts';

/** A message as the search needs it; `key` is its storage key. */
export type ScannedMessage = Pick<
  MessageRow,
  'key' | 'room' | 'timetoken' | 'publisher' | 'clientName' | 'text'
> & {
  /**
   * With `readMessages`: its key in the format of earlier versions, unless one of them stored it.
   */
  readonly oldKey?: string;
};

/** The tables of messages: this version's, and that of earlier versions. */
const { entries: ENTRIES, messages: OLD } = TABLES;
const BY_POSITION = '[room+timetoken]';

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

/** An entry as the search needs it; unreadable ones are not searched. */
const toScannedEntry = (stored: unknown): readonly ScannedMessage[] => {
  const parsed = parseEntry(stored);
  if (!parsed.ok) return [];
  const { k, row } = parsed.value;
  const [message] = toScanned({ ...row, key: k });
  return message === undefined ? [] : [{ ...message, oldKey: row.key }];
};

interface Stores {
  readonly entries: IDBObjectStore;
  readonly old: IDBObjectStore;
}

const read = async <T>(
  name: string,
  work: (stores: Stores) => Promise<T>,
): Promise<T | undefined> => {
  // A worker needs no library for this.
  const db = await openPresent(indexedDB, name);
  db?.addEventListener('versionchange', () => db.close());
  try {
    const trans = db?.transaction([ENTRIES, OLD]);
    return await (trans &&
      work({ entries: trans.objectStore(ENTRIES), old: trans.objectStore(OLD) }));
  } finally {
    db?.close();
  }
};

type Position = Pick<MessageRow, 'room' | 'timetoken'>;

/** Every room with messages, and its newest position; one step of the cursor for each room. */
const listRooms = (
  source: IDBObjectStore | IDBIndex,
  toPosition: (key: unknown) => Position | undefined,
  toFirst: (room: string) => IDBValidKey,
): Promise<readonly Position[]> =>
  new Promise((resolve, reject) => {
    const rooms: Position[] = [];
    const walk = source.openKeyCursor(null, 'prev');
    walk.addEventListener('error', () => reject(walk.error ?? new Error('not read')));
    walk.addEventListener('success', () => {
      const cursor = walk.result;
      if (cursor === null) return resolve(rooms);
      const position = toPosition(cursor.key);
      if (position === undefined) return cursor.continue();
      rooms.push(position);
      // The greatest key of the previous room.
      cursor.continue(toFirst(position.room));
    });
  });

const toOldPosition = (key: unknown): Position | undefined => {
  const [room, timetoken]: readonly unknown[] = Array.isArray(key) ? key : [];
  return isRoomKey(room) && isTimetoken(timetoken) ? { room, timetoken } : undefined;
};

/** All rooms, those with the newest messages first. */
const listAllRooms = async ({ entries, old }: Stores): Promise<readonly RoomKey[]> => {
  const positions = await Promise.all([
    listRooms(entries, parsePositionKey, (room) => `${room}|`),
    listRooms(old.index(BY_POSITION), toOldPosition, (room) => [room, '']),
  ]);
  const newest = new Map<RoomKey, Timetoken>();
  for (const { room, timetoken } of positions.flat()) {
    newest.set(room, laterOf(newest.get(room) ?? timetoken, timetoken));
  }
  return [...newest].toSorted(([, a], [, b]) => (a < b ? 1 : -1)).map(([room]) => room);
};

/** The messages of a room, each once; those of an earlier version come last. */
const readRoom = async (
  { entries, old }: Stores,
  room: RoomKey,
): Promise<readonly ScannedMessage[]> => {
  const [stored, rows]: readonly (readonly Partial<Record<string, unknown>>[])[] =
    await Promise.all([
      toPromise(entries.getAll(IDBKeyRange.bound(`${room}|`, afterAll(`${room}|`)))),
      toPromise(
        old
          .index(BY_POSITION)
          .getAll(IDBKeyRange.bound([room, TIMETOKEN_ZERO], [room, TIMETOKEN_MAX])),
      ),
    ]);
  const found = (stored ?? []).flatMap(toScannedEntry);
  const known = new Set(found.map(({ oldKey }) => oldKey));
  return [
    ...found.map(({ oldKey: _oldKey, ...message }) => message),
    ...(rows ?? []).flatMap(toScanned).filter(({ key }) => !known.has(key)),
  ];
};

/**
 * Reads every stored message of a user, given the name of the database: room by room, those with
 * the newest messages first, and in each room the oldest message first.
 */
export const scanMessages = async (
  name: string,
  onRoom: (messages: readonly ScannedMessage[]) => void,
): Promise<void> => {
  await read(name, async (stores) => {
    for (const room of await listAllRooms(stores)) onRoom(await readRoom(stores, room));
  });
};

/** The message under a key of an earlier version, unless it is also stored as an entry. */
const readOld = async (
  { entries, old }: Stores,
  key: string,
): Promise<readonly ScannedMessage[]> => {
  const [f, parts] = [toIdentity(key), parseMessageKey(key)];
  const isEntry = (): Promise<number> => {
    if (f !== undefined) return toPromise(entries.index('f').count(f));
    if (parts === undefined || !('timetoken' in parts)) return Promise.resolve(0);
    return toPromise(entries.count(toPositionKey(parts.room, parts.timetoken)));
  };
  const [row, count] = await Promise.all([
    toPromise<Partial<Record<string, unknown>> | undefined>(old.get(key)),
    isEntry(),
  ]);
  return count === 0 ? toScanned(row) : [];
};

/** The stored messages with these keys, given the name of the database. */
export const readMessages = async (
  name: string,
  keys: readonly string[],
): Promise<readonly ScannedMessage[]> => {
  const found = await read(name, (stores) =>
    Promise.all([
      ...keys.map(async (key) => toScannedEntry(await toPromise<unknown>(stores.entries.get(key)))),
      ...keys.map((key) => readOld(stores, key)),
    ]),
  );
  return found?.flat() ?? [];
};

/**
 * Reports the keys of the messages that a commit of any tab changed, or `all` if every one may have.
 */
export const watchMessages = (
  db: UserDatabase,
  listener: (changed: 'all' | readonly string[]) => void,
): Unsubscribe =>
  db.rows.watch((changes) => {
    const changed = [changes.get(ENTRIES), changes.get(OLD)].filter((rows) => rows !== undefined);
    if (changed.length === 0) return;
    const keys = changed.flatMap((rows) => (rows === 'all' ? [] : [...rows.keys()]));
    listener(changed.includes('all') ? 'all' : keys);
  });
