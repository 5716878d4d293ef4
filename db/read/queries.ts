import { Dexie } from 'dexie';

import { HISTORY_PAGE_SIZE } from '#domain/limits.ts';
import type { StoredSlice } from '#domain/ports/storage.ts';
import type { Coverage, MessageRow, OutboxItem } from '#domain/project/rows.ts';
import { coverRoom, type RoomCoverage } from '#domain/project/segments.ts';
import { isRoomKey, type RoomKey, splitRoomKey } from '#domain/rooms.ts';
import type { NewestByClient } from '#domain/rules/inbox.ts';
import { parseOutboxItem } from '#domain/project/row-schemas.ts';
import { isTimetoken, type Timetoken } from '#domain/timetoken.ts';

import { listPositions, loadByKey, loadMessages, loadNewest } from '../facts/load-messages.ts';
import type { UserDatabase } from '../schema/database.ts';
import { findStreamed } from '../log/segments.ts';
import { findCoverage, takeReadable, toReadable } from '../log/readable-tables.ts';
import { type DOCUMENTS, TABLES } from '../schema/tables.ts';

/**
 * Queries on projections. All may run inside `watch`; unreadable rows are omitted and cause a
 * rebuild. No query counts a large table.
 */

/** The parts of a thread, from one transaction. */
export interface ThreadParts {
  readonly rows: readonly MessageRow[];
  readonly items: readonly OutboxItem[];
  /** The coverage of the room by its own pages. */
  readonly pages: Coverage | undefined;
}

/** The parts of a thread, and the number of stored message rows that were read. */
interface ReadParts extends ThreadParts {
  readonly count: number;
}

/**
 * The stored messages of a room starting at `from` (without it: the newest page), the room's outbox
 * and the coverage by its pages. One transaction, so that a message is always in one of them.
 */
export const findThreadParts = (
  db: UserDatabase,
  room: RoomKey,
  from: Timetoken | undefined,
): PromiseLike<ReadParts> =>
  db.transaction('r', [...db.messageTables, db.outbox, db.coverage], async () => {
    const [read, rest] = await Promise.all([
      from === undefined
        ? loadNewest(db, room, HISTORY_PAGE_SIZE)
        : loadMessages(db, room, { from }),
      findThreadRest(db, room),
    ]);
    return { ...rest, rows: takeReadable(db, TABLES.entries, read), count: read.count };
  });

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

/** Messages of a room to read: by key, and those in ranges of positions. */
export interface WantedMessages {
  readonly keys: readonly string[];
  readonly ranges: readonly { readonly from: Timetoken; readonly before: Timetoken }[];
}

/** Like `findThreadParts`, with only some of the messages. */
export const findThreadChanges = (
  db: UserDatabase,
  room: RoomKey,
  { keys, ranges }: WantedMessages,
): PromiseLike<ThreadParts> =>
  db.transaction('r', [...db.messageTables, db.outbox, db.coverage], async () => {
    const [rest, ...reads] = await Promise.all([
      findThreadRest(db, room),
      loadByKey(db, keys),
      ...ranges.map((range) => loadMessages(db, room, range)),
    ]);
    return { ...rest, rows: reads.flatMap((read) => takeReadable(db, TABLES.entries, read)) };
  });

/** The unsent messages of a room in the order of acceptance. */
export const listOutboxOf = (db: UserDatabase, room: RoomKey) =>
  db.outbox.where('[room+seq]').between([room, Dexie.minKey], [room, Dexie.maxKey]);

const inState = (db: UserDatabase, state: OutboxItem['state']) =>
  db.outbox.where('[state+room]').between([state, Dexie.minKey], [state, Dexie.maxKey]);

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
export const findOlder = (
  db: UserDatabase,
  room: RoomKey,
  count: number,
  before: Timetoken,
): PromiseLike<StoredSlice | undefined> =>
  db.transaction('r', db.messageTables, async () => {
    const positions = await listPositions(db, room, count, before);
    const [to, from] = [positions[0], positions.at(-1)];
    return to && from && { from, to, count: positions.length };
  });

/** A fetched list as stored, not yet parsed; `fetchedAt` in ms since the epoch. */
export const findDocument = async (
  db: UserDatabase,
  key: (typeof DOCUMENTS)[keyof typeof DOCUMENTS],
): Promise<{ readonly value: unknown; readonly fetchedAt: number } | undefined> => {
  const row = await db.documents.get(key);
  return typeof row?.fetchedAt === 'number' ? row : undefined;
};

/** The newest entry of every client with one; unreadable rows are omitted. */
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
