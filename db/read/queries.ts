import { Dexie } from 'dexie';

import { HISTORY_PAGE_SIZE } from '#domain/limits.ts';
import type { Coverage, MessageRow, OutboxItem } from '#domain/project/rows.ts';
import { coverRoom, type RoomCoverage } from '#domain/project/segments.ts';
import { isRoomKey, ROOM_IDS, type RoomKey, splitRoomKey, toRoomKey } from '#domain/rooms.ts';
import type { NewestByClient } from '#domain/rules/inbox.ts';
import { parseMessageRow, parseOutboxItem } from '#domain/project/row-schemas.ts';
import { parseTeams } from '#domain/schemas/team.ts';
import { isTimetoken, type Timetoken, TIMETOKEN_MAX, TIMETOKEN_ZERO } from '#domain/timetoken.ts';

import type { UserDatabase } from '../schema/database.ts';
import { findStreamed } from '../log/segments.ts';
import { findCoverage, toReadable } from '../log/readable-tables.ts';
import { readRows } from '../schema/readable.ts';
import { rebuildOnce } from '../log/rebuild.ts';
import { DOCUMENTS, TABLES } from '../schema/tables.ts';

/**
 * Queries on projections. All but `findNextQueued` may run inside live queries; unreadable rows
 * are omitted and cause a rebuild. No query counts a large table.
 */

const inRoom = (db: UserDatabase, room: RoomKey, from: Timetoken, before: Timetoken) =>
  db.messages.where('[room+timetoken]').between([room, from], [room, before], true, false);

/** The parts of a thread, from one transaction. */
export interface ThreadParts {
  readonly rows: readonly MessageRow[];
  readonly items: readonly OutboxItem[];
  /** The coverage of the room by its own pages. */
  readonly pages: Coverage | undefined;
}

/**
 * The stored messages of a room from `from` on (without it: the newest page), the room's outbox
 * and its own coverage. One transaction, so that a message is always in one of them.
 */
export const findThreadParts = (
  db: UserDatabase,
  room: RoomKey,
  from: Timetoken | undefined,
): PromiseLike<ThreadParts> =>
  db.transaction('r', [db.messages, db.outbox, db.coverage], async () => {
    const stored = inRoom(db, room, from ?? TIMETOKEN_ZERO, TIMETOKEN_MAX);
    const [rows, rest] = await Promise.all([
      from === undefined ? stored.reverse().limit(HISTORY_PAGE_SIZE).toArray() : stored.toArray(),
      findThreadRest(db, room),
    ]);
    return { ...rest, rows: toMessages(db, rows) };
  });

const toMessages = (db: UserDatabase, rows: readonly unknown[]): readonly MessageRow[] =>
  toReadable(db, TABLES.messages, parseMessageRow, rows);

const findThreadRest = async (
  db: UserDatabase,
  room: RoomKey,
): Promise<Omit<ThreadParts, 'rows'>> => {
  const [items, pages] = await Promise.all([
    listOutboxOf(db, room).toArray(),
    findCoverage(db, room),
  ]);
  return { items: toReadable(db, TABLES.outbox, parseOutboxItem, items), pages };
};

/** Messages of a room to read: by key, and those from a position on and before another. */
export interface WantedMessages {
  readonly keys: readonly string[];
  readonly older: { readonly from: Timetoken; readonly before: Timetoken } | undefined;
}

/** Like `findThreadParts`, with only some of the messages. */
export const findThreadChanges = (
  db: UserDatabase,
  room: RoomKey,
  { keys, older }: WantedMessages,
): PromiseLike<ThreadParts> =>
  db.transaction('r', [db.messages, db.outbox, db.coverage], async () => {
    const [changed, added, rest] = await Promise.all([
      keys.length === 0 ? [] : db.messages.bulkGet([...keys]),
      older === undefined ? [] : inRoom(db, room, older.from, older.before).toArray(),
      findThreadRest(db, room),
    ]);
    const rows: readonly unknown[] = [...changed, ...added];
    return {
      ...rest,
      rows: toMessages(
        db,
        rows.filter((row) => row !== undefined),
      ),
    };
  });

const listOutboxOf = (db: UserDatabase, room: RoomKey) =>
  db.outbox.where('[room+seq]').between([room, Dexie.minKey], [room, Dexie.maxKey]);

const inState = (db: UserDatabase, state: OutboxItem['state']) =>
  db.outbox.where('[state+room]').between([state, Dexie.minKey], [state, Dexie.maxKey]);

/** Rooms with a queued message. */
export const listQueuedRooms = async (db: UserDatabase): Promise<readonly RoomKey[]> => {
  const keys: readonly unknown[] = await inState(db, 'queued').uniqueKeys();
  return keys.flatMap((key) => {
    const room: unknown = Array.isArray(key) ? key[1] : undefined;
    return isRoomKey(room) ? [room] : [];
  });
};

/** Number of queued messages in all rooms. The outbox is small. */
export const countQueued = (db: UserDatabase): PromiseLike<number> => inState(db, 'queued').count();

/** Messages that were refused and await their author's decision, in all rooms. */
export const listFailed = async (db: UserDatabase): Promise<readonly OutboxItem[]> =>
  toReadable(db, TABLES.outbox, parseOutboxItem, await inState(db, 'failed').toArray());

const isQueued = ({ state }: OutboxItem): boolean => state === 'queued';

/**
 * The oldest queued message of a room. If it is unreadable, the tables are rebuilt first,
 * because later messages must be sent after it.
 */
export const findNextQueued = async (
  db: UserDatabase,
  room: RoomKey,
): Promise<OutboxItem | undefined> => {
  const first = await listOutboxOf(db, room).filter(isQueued).first();
  if (first === undefined) return undefined;
  const { rows, reason } = readRows(parseOutboxItem, [first]);
  if (rows[0]) return rows[0];
  if (reason !== undefined) await rebuildOnce(db, { table: TABLES.outbox, reason });
  const all = await listOutboxOf(db, room).toArray();
  return readRows(parseOutboxItem, all).rows.find(isQueued);
};

/** See `Store.findCoverage`. */
export const findRoomCoverage = (
  db: UserDatabase,
  room: RoomKey,
): PromiseLike<RoomCoverage | undefined> =>
  db.transaction('r', [db.log, db.coverage, db.meta], async () => {
    const [pages, streamed] = await Promise.all([findCoverage(db, room), findStreamed(db, room)]);
    return coverRoom(room, pages, streamed);
  });

/** See `Store.findOlder`. */
export const findOlder = async (
  db: UserDatabase,
  room: RoomKey,
  count: number,
  before: Timetoken,
): Promise<{ readonly from: Timetoken; readonly count: number } | undefined> => {
  const older = inRoom(db, room, TIMETOKEN_ZERO, before).reverse().limit(count);
  const keys: readonly unknown[] = await older.keys();
  const oldest = keys.at(-1);
  const from: unknown = Array.isArray(oldest) ? oldest[1] : undefined;
  return isTimetoken(from) ? { from, count: keys.length } : undefined;
};

/** A fetched list as stored, not yet parsed; `fetchedAt` in ms since the epoch. */
export const findDocument = async (
  db: UserDatabase,
  key: (typeof DOCUMENTS)[keyof typeof DOCUMENTS],
): Promise<{ readonly value: unknown; readonly fetchedAt: number } | undefined> => {
  const row = await db.documents.get(key);
  return typeof row?.fetchedAt === 'number' ? row : undefined;
};

/** See `Store.watchRooms`. */
export const listRooms = async (db: UserDatabase): Promise<readonly RoomKey[]> => {
  const teams = parseTeams((await findDocument(db, DOCUMENTS.teams))?.value) ?? [];
  return teams.flatMap(({ client_id }) => ROOM_IDS.map((roomId) => toRoomKey(client_id, roomId)));
};

/** When the clients were fetched, ms since the epoch; undefined if the list is damaged. */
export const findTeamsFetchedAt = async (db: UserDatabase): Promise<number | undefined> => {
  const document = await findDocument(db, DOCUMENTS.teams);
  const isWhole =
    Array.isArray(document?.value) && parseTeams(document.value)?.length === document.value.length;
  return isWhole ? document.fetchedAt : undefined;
};

/** The newest entry of every client with one; unreadable rows are left out. */
export const findNewest = async (db: UserDatabase): Promise<NewestByClient> => {
  const found = new Map<string, Timetoken>();
  for (const { room, newest } of await db.activity.toArray()) {
    if (!isRoomKey(room) || !isTimetoken(newest)) continue;
    const { clientId } = splitRoomKey(room);
    const known = found.get(clientId);
    if (known === undefined || known < newest) found.set(clientId, newest);
  }
  return found;
};
