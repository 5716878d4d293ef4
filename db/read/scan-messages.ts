import { type MessageRow, parseMessageKey } from '#domain/project/rows.ts';
import type { Unsubscribe } from '#domain/ports/kit.ts';
import { isRoomKey, type RoomKey } from '#domain/rooms.ts';
import {
  compareTimetokens,
  isTimetoken,
  laterOf,
  type Timetoken,
  TIMETOKEN_MAX,
  TIMETOKEN_ZERO,
} from '#domain/timetoken.ts';

import {
  afterAll,
  type Entry,
  type MessageText,
  parseEntry,
  parseText,
  toIdentity,
  toPositionKey,
} from '../facts/entry-row.ts';
import type { UserDatabase } from '../schema/database.ts';
import { openExisting, toPromise } from '../schema/open-existing.ts';
import { TABLES } from '../schema/tables.ts';

/** A message as the search and the dashboard need it. */
export type ScannedMessage = MessageText & {
  /**
   * From `readMessages`, for a message of the present format: the key that earlier versions would
   * have given it. An index may still contain it under that key.
   */
  readonly oldKey?: string;
};

/** The tables of messages: this version's, with their newest ones, and that of earlier versions. */
const { entries: ENTRIES, activity: ACTIVITY, messages: OLD } = TABLES;
/** Rooms requested ahead: the browser reads them while this thread takes others. */
const ROOMS_AHEAD = 16;
const BY_POSITION = '[room+timetoken]';

/** Entries of any other shape are skipped. */
const toScanned = (
  row: Partial<Record<string, unknown>> | undefined,
): readonly ScannedMessage[] => {
  const { key, room, timetoken, publisher, clientName, kind, text } = row ?? {};
  const isWhole =
    typeof key === 'string' &&
    isRoomKey(room) &&
    isTimetoken(timetoken) &&
    (kind === 'message' || kind === 'unreadable') &&
    typeof publisher === 'string' &&
    typeof clientName === 'string' &&
    typeof text === 'string';
  if (!isWhole) return [];
  const shown = kind === 'message' ? text : undefined;
  return [{ key, room, timetoken, publisher, clientName, text: shown }];
};

const parseMessage = (stored: unknown): readonly Entry[] => {
  const parsed = parseEntry(stored);
  return parsed.ok ? [parsed.value] : [];
};

interface Stores {
  readonly entries: IDBObjectStore;
  readonly activity: IDBObjectStore;
  readonly old: IDBObjectStore;
}

const readStores = async <T>(
  name: string,
  work: (stores: Stores) => Promise<T>,
): Promise<T | undefined> => {
  // A worker needs no library for this.
  const db = await openExisting(indexedDB, name);
  db?.addEventListener('versionchange', () => db.close());
  try {
    const trans = db?.transaction([ENTRIES, ACTIVITY, OLD]);
    return await (trans &&
      work({
        entries: trans.objectStore(ENTRIES),
        activity: trans.objectStore(ACTIVITY),
        old: trans.objectStore(OLD),
      }));
  } finally {
    db?.close();
  }
};

type Position = Pick<MessageRow, 'room' | 'timetoken'>;

/** The rooms of the rows of earlier versions, of which there are usually none. */
const listOldRooms = (old: IDBObjectStore): Promise<readonly Position[]> =>
  new Promise((resolve, reject) => {
    const rooms: Position[] = [];
    const walk = old.index(BY_POSITION).openKeyCursor(null, 'prev');
    walk.addEventListener('error', () => reject(walk.error ?? new Error('not read')));
    walk.addEventListener('success', () => {
      const cursor = walk.result;
      if (cursor === null) return resolve(rooms);
      const [room, timetoken]: readonly unknown[] = Array.isArray(cursor.key) ? cursor.key : [];
      if (!isRoomKey(room) || !isTimetoken(timetoken)) return cursor.continue();
      rooms.push({ room, timetoken });
      // The greatest key of the previous room.
      cursor.continue([room, '']);
    });
  });

/** The rooms with entries, and their newest positions. */
const listActiveRooms = async (activity: IDBObjectStore): Promise<readonly Position[]> => {
  const [rooms, rows]: readonly (readonly unknown[])[] = await Promise.all([
    toPromise(activity.getAllKeys()),
    toPromise(activity.getAll()),
  ]);
  return (rooms ?? []).flatMap((room, n) => {
    const { newest }: Partial<Record<string, unknown>> = { ...Object(rows?.[n]) };
    const timetoken = isTimetoken(newest) ? newest : TIMETOKEN_ZERO;
    return isRoomKey(room) ? [{ room, timetoken }] : [];
  });
};

interface RoomOrder {
  /** Those with the newest messages first. */
  readonly rooms: readonly RoomKey[];
  /** Those with rows of earlier versions. */
  readonly old: ReadonlySet<RoomKey>;
}

const listAllRooms = async ({ activity, old }: Stores): Promise<RoomOrder> => {
  const [active, earlier] = await Promise.all([listActiveRooms(activity), listOldRooms(old)]);
  const newest = new Map<RoomKey, Timetoken>();
  for (const { room, timetoken } of [...active, ...earlier]) {
    newest.set(room, laterOf(newest.get(room) ?? timetoken, timetoken));
  }
  return {
    rooms: [...newest].toSorted(([, a], [, b]) => compareTimetokens(b, a)).map(([room]) => room),
    old: new Set(earlier.map(({ room }) => room)),
  };
};

/** The rows of a room in the format of earlier versions. */
const readOldRoom = async (
  old: IDBObjectStore,
  room: RoomKey,
): Promise<readonly ScannedMessage[]> => {
  const range = IDBKeyRange.bound([room, TIMETOKEN_ZERO], [room, TIMETOKEN_MAX]);
  return (await toPromise(old.index(BY_POSITION).getAll(range))).flatMap(toScanned);
};

/** The messages of a room, each once; those of an earlier version come last. */
const readRoom = async (
  { entries, old }: Stores,
  room: RoomKey,
  isOld: boolean,
): Promise<readonly ScannedMessage[]> => {
  const range = IDBKeyRange.bound(`${room}|`, afterAll(`${room}|`));
  const [stored, rows] = await Promise.all([
    toPromise<unknown[]>(entries.getAll(range)),
    isOld ? readOldRoom(old, room) : [],
  ]);
  const messages = stored.flatMap((one) => parseText(one) ?? []);
  if (rows.length === 0) return messages;
  const known = new Set(stored.flatMap(parseMessage).map(({ row }) => row.key));
  return [...messages, ...rows.filter(({ key }) => !known.has(key))];
};

/**
 * Reads every stored message of a user, given the name of the database: room by room, those with
 * the newest messages first, and in each room the oldest message first.
 */
export const scanMessages = async (
  name: string,
  onRoom: (messages: readonly ScannedMessage[]) => void,
): Promise<void> => {
  await readStores(name, async (stores) => {
    const { rooms, old } = await listAllRooms(stores);
    const reads: Promise<readonly ScannedMessage[]>[] = [];
    const request = (room: RoomKey | undefined): void => {
      if (room === undefined) return;
      const read = readRoom(stores, room, old.has(room));
      // Its failure is reported when it is awaited.
      read.catch(() => undefined);
      reads.push(read);
    };
    for (const room of rooms.slice(0, ROOMS_AHEAD)) request(room);
    for (let at = 0; at < rooms.length; at += 1) {
      const messages = (await reads.shift()) ?? [];
      request(rooms[at + ROOMS_AHEAD]);
      onRoom(messages);
    }
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
  const found = await readStores(name, (stores) =>
    Promise.all([
      ...keys.map(async (key) => {
        const stored = await toPromise<unknown>(stores.entries.get(key));
        const [message, [entry]] = [parseText(stored), parseMessage(stored)];
        return message && entry ? [{ ...message, oldKey: entry.row.key }] : [];
      }),
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
