import { toKeyRoom, toKindPrefix } from '#domain/envelope.ts';
import { RETENTION_AGE_MS, RETENTION_KEPT_ALWAYS, RETENTION_KEPT_MAX } from '#domain/limits.ts';
import { parseRoomActivity } from '#domain/project/row-schemas.ts';
import { ALL_ROOMS, isRoomKey, type RoomKey } from '#domain/rooms.ts';
import { UNREAD_COUNTED_MAX } from '#domain/rules/unread-label.ts';
import {
  earlierOf,
  fromEpochMs,
  laterOf,
  nextTimetoken,
  type Timetoken,
  TIMETOKEN_MAX,
  TIMETOKEN_ZERO,
  toEpochMs,
} from '#domain/timetoken.ts';

import { parsePositionKey } from '../facts/entry-row.ts';
import { listUnreadMarks, type UnreadMarks } from '../facts/list-unread-marks.ts';
import { entriesIn, listPositions } from '../facts/load-messages.ts';
import type { UserDatabase } from '../schema/database.ts';
import { isUpToDate } from '../schema/projection-version.ts';
import { findLeader, mustHoldFence } from './fence.ts';
import { KEPT_ON_FULL_DISK } from '../schema/limits.ts';
import { pruneOwn } from './prune-own.ts';
import { pruneRoom } from './prune-room.ts';
import { listCoverage } from './readable-tables.ts';
import { mergePages, shortenCoverage } from './save-coverage.ts';
import { findSubscribed } from './segments.ts';
import { write } from '../schema/write.ts';

/**
 * The messages of a room that remain: the `always` newest ones, and others since `since`, at most
 * `max` in total.
 */
interface Kept {
  readonly always: number;
  readonly max: number;
  readonly since: Timetoken;
}

/** The position of the newest message beyond the `count` newest ones; zero if there is none. */
const findBeyond = async (db: UserDatabase, room: RoomKey, count: number): Promise<Timetoken> => {
  if (db.hasOld) {
    const positions = await db.transaction('r', db.messageTables, async () =>
      listPositions(db, room, count + 1),
    );
    return positions[count] ?? TIMETOKEN_ZERO;
  }
  const [key] = await entriesIn(db, room, {}).reverse().offset(count).limit(1).primaryKeys();
  return parsePositionKey(key)?.timetoken ?? TIMETOKEN_ZERO;
};

/** The oldest position that remains. */
const findCut = async (db: UserDatabase, room: RoomKey, kept: Kept): Promise<Timetoken> => {
  const [beyondMax, beyondAlways] = [
    await findBeyond(db, room, kept.max),
    await findBeyond(db, room, kept.always),
  ];
  const old = earlierOf(nextTimetoken(beyondAlways), kept.since);
  return laterOf(nextTimetoken(beyondMax), old);
};

const toRoom = (key: unknown): string | undefined => toKeyRoom(String(key));

/** Prunes facts about read positions and marks, of which only the newest matters. */
const pruneMarkFacts = (db: UserDatabase, fence: number | undefined): Promise<void> =>
  write(db, [db.log, db.meta], async () => {
    if (fence !== undefined) await mustHoldFence(db, fence);
    const prefixes = [toKindPrefix('mark'), toKindPrefix('read')];
    const keys = await db.log.where('key').startsWithAnyOf(prefixes).keys();
    // In index order, the newest fact of a room comes last.
    const outdated = keys.filter(
      (key, i) => i + 1 < keys.length && toRoom(key) === toRoom(keys[i + 1]),
    );
    await db.log.where('key').anyOf(outdated).delete();
  });

/** Pages of a room that remain separate facts. */
const PAGE_FACTS_MAX = 10;

/** Merges the facts about pages of rooms that have many: each opening of a room may add one. */
const mergeManyPages = async (db: UserDatabase, fence: number): Promise<void> => {
  const keys = await db.log.where('key').startsWith(toKindPrefix('page')).keys();
  const byRoom = Map.groupBy(keys, toRoom);
  for (const [room, { length }] of byRoom) {
    if (length <= PAGE_FACTS_MAX || !isRoomKey(room)) continue;
    const merge = async () => {
      await mustHoldFence(db, fence);
      const subscribed = await findSubscribed(db);
      if (subscribed?.includes(room) !== false) await mergePages(db, room);
    };
    await write(db, db.logged, merge, 'relaxed');
  }
};

/** Rooms with a history page or a message. */
const listKnownRooms = async (db: UserDatabase): Promise<readonly RoomKey[]> => {
  const pages = (await listCoverage(db)).map(({ room }) => room);
  const active: readonly unknown[] = await db.activity.toCollection().primaryKeys();
  return [...new Set([...pages, ...active.filter(isRoomKey)])];
};

const pruneAll = async (
  db: UserDatabase,
  toKept: (room: RoomKey) => Kept | PromiseLike<Kept>,
  {
    fence,
    rooms,
  }: { readonly fence?: number; readonly rooms?: readonly RoomKey[] | undefined } = {},
): Promise<number> => {
  await pruneMarkFacts(db, fence);
  // Facts are deleted and made from these tables, which must match the current reducers.
  if (!(await isUpToDate(db))) return 0;
  let total = 0;
  for (const room of rooms ?? (await listKnownRooms(db))) {
    total += await pruneRoom(db, room, await findCut(db, room, await toKept(room)), fence);
  }
  // Skipped when making space on a full disk: it would take too long while the author waits.
  if (fence === undefined) return total;
  await pruneOwn(db, fence);
  await mergeManyPages(db, fence);
  return total;
};

/**
 * Prunes old or excess history, room by room in short transactions, but never unsent messages.
 * The age of a message counts up to `now` or, if the device's clock is ahead, up to the end of the
 * engine's log as far as it is known. The value is the number of pruned messages. Throws
 * `FencedError` once another tab leads.
 */
export const pruneHistory = async (
  db: UserDatabase,
  fence: number,
  now: number,
): Promise<number> => {
  const { cursor = TIMETOKEN_MAX } = (await findLeader(db)) ?? {};
  const until = Math.min(now, toEpochMs(cursor));
  const kept = {
    always: RETENTION_KEPT_ALWAYS,
    max: RETENTION_KEPT_MAX,
    since: fromEpochMs(until - RETENTION_AGE_MS),
  };
  return pruneAll(db, () => kept, { fence });
};

/** See `Store.dropBefore`. */
export const dropBefore = (
  db: UserDatabase,
  fence: number,
  room: RoomKey,
  from: Timetoken,
): Promise<void> =>
  write(
    db,
    db.logged,
    async () => {
      await mustHoldFence(db, fence);
      await shortenCoverage(db, room, from);
    },
    'relaxed',
  );

const ONE_PAGE: Kept = {
  always: KEPT_ON_FULL_DISK,
  max: KEPT_ON_FULL_DISK,
  since: TIMETOKEN_MAX,
};

/** Prunes all history of some rooms, or of all, except the newest page of each. */
export const makeSpace = (db: UserDatabase, rooms?: readonly RoomKey[]): Promise<number> =>
  pruneAll(db, () => ONE_PAGE, { rooms });

/** The position after which messages of a room may be unread; undefined if none are. */
const findUnreadSince = async (
  db: UserDatabase,
  room: RoomKey,
  unreadMarks: UnreadMarks,
  began: Timetoken,
): Promise<Timetoken | undefined> => {
  const mark = unreadMarks.get(room);
  if (mark !== undefined) return mark.from;
  const activity = parseRoomActivity(await db.activity.get(room));
  if (!activity.ok || activity.value.pending === 0) return undefined;
  return laterOf(began, activity.value.readUpTo);
};

/**
 * Prunes all rooms like `makeSpace`, except messages that count as unread; also returns the rooms
 * with such messages.
 */
export const makeReadSpace = async (
  db: UserDatabase,
): Promise<{ readonly pruned: number; readonly unread: readonly RoomKey[] }> => {
  const unreadMarks = await listUnreadMarks(db);
  const all = parseRoomActivity(await db.activity.get(ALL_ROOMS));
  // Nothing is unread before reading began.
  if (!all.ok) return { pruned: await makeSpace(db), unread: [] };
  const unread: RoomKey[] = [];
  const pruned = await pruneAll(db, async (room) => {
    const since = await findUnreadSince(db, room, unreadMarks, all.value.readUpTo);
    if (since === undefined) return ONE_PAGE;
    unread.push(room);
    return { ...ONE_PAGE, max: UNREAD_COUNTED_MAX, since };
  });
  return { pruned, unread };
};
