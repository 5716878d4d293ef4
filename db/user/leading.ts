import type { LinkStatus } from '#domain/link-status.ts';
import type { AllCoverage, StreamOpening } from '#domain/ports/storage.ts';
import { parseOutboxItem, parseRoomActivity } from '#domain/project/row-schemas.ts';
import { type OutboxItem, toMessageKey } from '#domain/project/rows.ts';
import { closeSegment, joinSegments, openSegment } from '#domain/project/segment-changes.ts';
import type { Interval } from '#domain/project/segments.ts';
import { ALL_ROOMS, isRoomKey, type RoomKey } from '#domain/rooms.ts';
import {
  earlierOf,
  laterOf,
  nextTimetoken,
  type Timetoken,
  TIMETOKEN_MAX,
  TIMETOKEN_ZERO,
} from '#domain/timetoken.ts';

import { isDiskFull } from '../schema/disk-full.ts';
import { META, TABLES } from '../schema/tables.ts';
import { write } from '../schema/write.ts';
import { findLeader, mustHoldFence, saveLeader } from '../log/fence.ts';
import { listCoverage } from '../log/readable-tables.ts';
import { clearCoverage, raiseFloors, saveSegments } from '../log/save-coverage.ts';
import { findSubscribed, listFloors, listSegments } from '../log/segments.ts';
import { listRooms } from '../read/listed-rooms.ts';
import { listOutboxOf } from '../read/queries.ts';
import { loadByKey } from '../facts/load-messages.ts';
import { appendFacts } from '../log/event-log.ts';
import { rebuildOnce } from '../log/rebuild.ts';
import type { UserDatabase } from '../schema/database.ts';
import { readRows } from '../schema/readable.ts';

const recordFence = (db: UserDatabase, tabId: string, at: number): Promise<number> =>
  write(db, [db.meta], async () => {
    const last = await findLeader(db);
    const fence = (last?.fence ?? 0) + 1;
    const until = last?.until ?? last?.cursor ?? last?.since;
    await saveLeader(db, {
      ...last,
      fence,
      tabId,
      at,
      link: { kind: 'connecting' },
      ...(last?.since !== undefined && until !== undefined && { until }),
    });
    return fence;
  });

/**
 * Takes the next fencing token; tokens only increase, even across a power cut. The segment of the
 * last leader's stream ends at its cursor. On a full disk, prunes first: no other tab would.
 */
export const takeFence = async (db: UserDatabase, tabId: string, at: number): Promise<number> => {
  try {
    return await recordFence(db, tabId, at);
  } catch (error) {
    if (!isDiskFull(error) || db.space.view.isClosed) throw error;
    const { makeReadSpace } = await import('../log/retention.ts');
    if ((await makeReadSpace(db)).pruned === 0) throw error;
    return recordFence(db, tabId, at);
  }
};

/**
 * Writes the leader's heartbeat; throws `FencedError` if the leader was replaced. A power cut may
 * lose it; decision 61 describes when a cursor may then be ahead of the messages.
 */
export const writeHeartbeat = (
  db: UserDatabase,
  fence: number,
  at: number,
  link: LinkStatus,
  cursor?: Timetoken,
): Promise<void> => {
  const save = async () => {
    const last = await mustHoldFence(db, fence);
    await saveLeader(db, { ...last, at, link, ...(cursor && { cursor }) });
  };
  return write(db, [db.meta], save, 'relaxed');
};

/**
 * Rooms that join the subscription are covered only from now on; a stream of all rooms has no list.
 */
const keepSubscribed = async (
  db: UserDatabase,
  rooms: readonly RoomKey[] | undefined,
  after: Timetoken,
  isFirst: boolean,
): Promise<void> => {
  if (rooms === undefined) {
    await db.meta.delete(META.subscribed);
    return;
  }
  const known = new Set(await findSubscribed(db));
  const joined = rooms.filter((room) => !known.has(room));
  if (!isFirst) await raiseFloors(db, joined, nextTimetoken(after));
  if (joined.length > 0 || rooms.length < known.size) {
    await db.putMeta({ key: META.subscribed, rooms });
  }
};

/** After a power cut, lost entries are counted and fetched again. */
const writeRelaxed = (db: UserDatabase, work: () => Promise<void>): Promise<void> =>
  write(db, [db.log, db.meta], work, 'relaxed');

/** See `Store.openSegment`. */
export const openStreamSegment = (
  db: UserDatabase,
  fence: number,
  { after, resumes, requested, rooms, upTo }: StreamOpening,
): Promise<void> =>
  writeRelaxed(db, async () => {
    const last = await mustHoldFence(db, fence);
    const leader =
      upTo === undefined ? last : { ...last, cursor: laterOf(last.cursor ?? upTo, upTo) };
    const before = await listSegments(db, leader);
    const segments = openSegment(before, after, resumes, requested);
    const since = segments.at(-1)?.after ?? after;
    await keepSubscribed(db, rooms, after, before.length === 0);
    await saveSegments(db, segments);
    // A cursor beyond the beginning of a new segment belongs to another log.
    const cursor =
      leader.cursor && since === after ? earlierOf(leader.cursor, after) : leader.cursor;
    const { until: _until, ...kept } = leader;
    await saveLeader(db, { ...kept, since, ...(cursor && { cursor }) });
  });

/** See `Store.closeSegment`. */
export const closeStreamSegment = (
  db: UserDatabase,
  fence: number,
  upTo: Timetoken,
): Promise<void> =>
  writeRelaxed(db, async () => {
    const last = await mustHoldFence(db, fence);
    if (last.since === undefined) return;
    const leader = { ...last, cursor: laterOf(last.cursor ?? upTo, upTo) };
    await saveSegments(db, closeSegment(await listSegments(db, leader)));
    const { since: _since, until: _until, ...kept } = leader;
    await saveLeader(db, kept);
  });

/** See `Store.joinSegments`. */
export const joinStreamSegments = (db: UserDatabase, fence: number, gap: Interval): Promise<void> =>
  writeRelaxed(db, async () => {
    const leader = await mustHoldFence(db, fence);
    const segments = joinSegments(await listSegments(db, leader), gap);
    await saveSegments(db, segments);
    const open = segments.find(({ isOpen }) => isOpen);
    if (open !== undefined) await saveLeader(db, { ...leader, since: open.after });
  });

/** See `Store.forgetCoverage`. */
export const forgetCoverage = (db: UserDatabase, fence: number): Promise<void> =>
  write(db, [db.log, db.coverage, db.meta], async () => {
    const { since: _since, until: _until, ...leader } = await mustHoldFence(db, fence);
    await clearCoverage(db);
    // The logs of marks may lack earlier entries, so they are compared again.
    await db.meta.bulkDelete([META.own, META.staff]);
    await saveLeader(db, leader);
  });

/** See `Store.findAllCoverage`. */
export const findAllCoverage = (db: UserDatabase): PromiseLike<AllCoverage> =>
  db.transaction('r', [db.log, db.coverage, db.activity, db.meta, db.documents], async () => {
    const leader = await findLeader(db);
    const [pages, active, segments, floors, subscribed, listed] = await Promise.all([
      listCoverage(db),
      db.activity.toArray(),
      listSegments(db, leader),
      listFloors(db),
      findSubscribed(db),
      listRooms(db),
    ]);
    const rooms = subscribed ?? [...new Set([...listed, ...pages.map(({ room }) => room)])];
    return {
      pages: new Map(pages.map((coverage) => [coverage.room, coverage])),
      // A room that was read elsewhere has a row, but no entry.
      stored: new Set(
        active.flatMap(({ room, newest }) =>
          isRoomKey(room) && newest > TIMETOKEN_ZERO ? [room] : [],
        ),
      ),
      segments,
      floors,
      rooms,
      readable: subscribed === undefined && listed.length > 0 ? listed : rooms,
      isNamed: subscribed !== undefined,
    };
  });

/** See `Store.findReadUpTo`. */
export const findReadUpTo = (
  db: UserDatabase,
  rooms: readonly RoomKey[],
): PromiseLike<ReadonlyMap<RoomKey, Timetoken> | undefined> =>
  db.transaction('r', db.activity, async () => {
    const all = parseRoomActivity(await db.activity.get(ALL_ROOMS));
    if (!all.ok) return undefined;
    const { readUpTo: began } = all.value;
    const rows = await db.activity.bulkGet([...rooms]);
    return new Map(
      rooms.map((room, i) => {
        const row = parseRoomActivity(rows[i]);
        return [room, row.ok ? laterOf(row.value.readUpTo, began) : began];
      }),
    );
  });

const isQueued = ({ state }: OutboxItem): boolean => state === 'queued';

/** The oldest queued message of a room; if it is unreadable, the tables are rebuilt first. */
const findFirstQueued = async (
  db: UserDatabase,
  room: RoomKey,
): Promise<OutboxItem | undefined> => {
  // Without a filter this is one request instead of a cursor.
  const [oldest] = await listOutboxOf(db, room).limit(1).toArray();
  const isOther = oldest !== undefined && !isQueued(oldest);
  const first = isOther ? await listOutboxOf(db, room).filter(isQueued).first() : oldest;
  if (first === undefined) return undefined;
  const { rows, reason } = readRows(parseOutboxItem, [first]);
  if (rows[0]) return rows[0];
  if (reason !== undefined) await rebuildOnce(db, { table: TABLES.outbox, reason });
  const all = await listOutboxOf(db, room).toArray();
  return readRows(parseOutboxItem, all).rows.find(isQueued);
};

/**
 * The oldest queued message of a room. If it is unreadable, the tables are rebuilt first, because
 * later messages must be sent after it. An attempted message that is already stored in the room
 * leaves the outbox without a lookup, and is not sent again.
 */
export const findNextQueued = async (
  db: UserDatabase,
  room: RoomKey,
): Promise<OutboxItem | undefined> => {
  for (;;) {
    const item = await findFirstQueued(db, room);
    if (item?.attemptedAfter === undefined) return item;
    const { id, uid } = item;
    const key = toMessageKey(room, uid, id, TIMETOKEN_MAX);
    const known = await db.transaction('r', db.messageTables, async () => loadByKey(db, [key]));
    const [row] = known.rows;
    if (row === undefined) return item;
    const { timetoken } = row;
    const done = await appendFacts(db, [{ type: 'v1.MessagePublished', id, room, uid, timetoken }]);
    if (!done.ok || (await db.outbox.get(id)) !== undefined) return item;
  }
};
