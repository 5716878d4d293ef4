import { ALL_ROOMS, isRoomKey, type RoomKey } from '#domain/rooms.ts';
import type { MessageRow, RoomActivity } from '#domain/project/rows.ts';
import type { Unread, UnreadByRoom } from '#domain/rules/unread.ts';
import { UNREAD_COUNTED_MAX } from '#domain/rules/unread-label.ts';
import { parseRoomActivity } from '#domain/project/row-schemas.ts';
import {
  laterOf,
  nextTimetoken,
  type Timetoken,
  TIMETOKEN_MAX,
  TIMETOKEN_ZERO,
} from '#domain/timetoken.ts';

import type { Marking, Markings } from '../facts/list-unread-marks.ts';
import { loadMessages } from '../facts/load-messages.ts';
import type { UserDatabase } from '../schema/database.ts';
import { toReadable } from '../log/readable-tables.ts';
import { TABLES } from '../schema/tables.ts';
import type { DueRooms, RoomAdditions } from './room-states.ts';

const PENDING: RoomActivity['pending'] = 1;

/** What was counted in a room, from which the next count can go on. */
export interface Counted {
  /** Where the user began to read, in all rooms. */
  readonly began: Timetoken;
  /** From where was counted. */
  readonly start: Start;
  /** The newest message that was counted, of anyone; `start.after` if there was none. */
  readonly newest: Timetoken;
  readonly unread: Unread | undefined;
}

/** Where the unread messages of a room begin. */
interface Start {
  /** The read position, or what was marked as unread. */
  readonly after: Timetoken;
  /** Own messages up to here are no answer. */
  readonly upTo: Timetoken;
  /** Names the marking as unread. */
  readonly marking: string;
}

const toActivities = (db: UserDatabase, stored: readonly unknown[]): readonly RoomActivity[] =>
  toReadable(db, TABLES.activity, parseRoomActivity, stored);

/** What is known of a room before `later` messages. */
type Before = Pick<Counted, 'newest' | 'unread'>;

/**
 * Messages of others from the start on and after the user's own newest message there, because
 * answering marks as read.
 */
const countOn = (
  uid: string,
  start: Start,
  before: Before,
  later: readonly MessageRow[],
): Before => {
  const { upTo, marking } = start;
  const isOwn = ({ publisher }: MessageRow): boolean => publisher === uid;
  const own = later.findLastIndex((row) => isOwn(row) && row.timetoken > upTo);
  const earlier = own === -1 ? before.unread : undefined;
  const others = later.slice(own + 1).filter((row) => !isOwn(row));
  const count = Math.min((earlier?.count ?? 0) + others.length, UNREAD_COUNTED_MAX);
  const first = earlier?.first ?? others[0]?.timetoken;
  const newest = later.at(-1)?.timetoken ?? before.newest;
  if (first === undefined) return { newest, unread: undefined };
  const isMarked = first <= upTo;
  return { newest, unread: { count, first, ...(isMarked && { marking }) } };
};

const isSameStart = (a: Start, b: Start): boolean => a.after === b.after && a.marking === b.marking;

/**
 * It reads all at once (a room has at most `RETENTION_KEPT_MAX`): a cursor from the newest on takes
 * ten times as long. What is known must hold all messages up to its newest one.
 */
const countRoom = async (
  db: UserDatabase,
  room: RoomKey,
  start: Start,
  known: Counted | undefined,
): Promise<Before> => {
  const isKnown = known !== undefined && isSameStart(known.start, start);
  const before = isKnown ? known : { newest: start.after, unread: undefined };
  const { rows } = await loadMessages(db, room, { from: nextTimetoken(before.newest) });
  return countOn(db.uid, start, before, rows);
};

/** Some rooms, or all with an entry after their read position or marked as unread. */
const listActivity = async (
  db: UserDatabase,
  readUpTo: Timetoken,
  markings: Markings,
  due: DueRooms<Counted> | undefined,
): Promise<readonly RoomActivity[]> => {
  const list = async (rooms: readonly RoomKey[]): Promise<readonly RoomActivity[]> => {
    const stored: readonly unknown[] = await db.activity.bulkGet([...rooms]);
    return toActivities(
      db,
      stored.filter((row) => row !== undefined),
    );
  };
  if (due !== undefined) return list([...due.keys()]);
  const pending = await db.activity
    .where('[pending+newest]')
    .between([PENDING, readUpTo], [PENDING, TIMETOKEN_MAX], false, true)
    .toArray();
  const unlisted = new Set<string>(markings.keys());
  for (const { room } of pending) unlisted.delete(room);
  return [...toActivities(db, pending), ...(await list([...unlisted].filter(isRoomKey)))];
};

const NOT_MARKED = { upTo: TIMETOKEN_ZERO, marking: '' };

/** Undefined if nothing in the room can be unread. */
const toStart = (
  { newest, readUpTo, pending }: RoomActivity,
  began: Timetoken,
  marking: Marking | undefined,
): Start | undefined => {
  if (marking !== undefined) {
    return { after: marking.from, upTo: marking.upTo, marking: marking.name };
  }
  if (pending !== PENDING || newest <= began) return undefined;
  return { ...NOT_MARKED, after: laterOf(readUpTo, began) };
};

/**
 * Counts the unread messages of all rooms, or of those that are due; rooms without an entry after
 * their read position are omitted, so that a thousand clients cost no more.
 */
export const countUnread = (
  db: UserDatabase,
  markings: Markings,
  due?: DueRooms<Counted>,
): PromiseLike<ReadonlyMap<RoomKey, Counted>> =>
  db.transaction('r', [db.activity, ...db.messageTables], async () => {
    const counted = new Map<RoomKey, Counted>();
    const began = await db.activity.get(ALL_ROOMS);
    const [all] = began === undefined ? [] : toActivities(db, [began]);
    if (all === undefined) return counted;
    const active = await listActivity(db, all.readUpTo, markings, due);
    const found = active.map(async (activity) => {
      const { room } = activity;
      if (!isRoomKey(room)) return;
      const start = toStart(activity, all.readUpTo, markings.get(room));
      if (start === undefined) return;
      const { readUpTo: began } = all;
      const found = await countRoom(db, room, start, due?.get(room));
      counted.set(room, { began, start, ...found });
    });
    await Promise.all(found);
    return counted;
  });

/**
 * The count of a room after `additions`, all of it later than what is known; undefined if the messages
 * before have to be read, because reading went on to one of them.
 */
export const extendCount = (
  uid: string,
  known: Counted,
  { rows, activity }: RoomAdditions,
  marking: Marking | undefined,
): Counted | undefined => {
  const { began } = known;
  const readUpTo = laterOf(activity?.readUpTo ?? TIMETOKEN_ZERO, began);
  const start =
    activity === undefined
      ? known.start
      : (toStart(activity, began, marking) ?? { ...NOT_MARKED, after: readUpTo });
  if (isSameStart(known.start, start)) {
    return { began, start, ...countOn(uid, start, known, rows) };
  }
  if (start.after < known.newest) return undefined;
  const later = rows.filter(({ timetoken }) => timetoken > start.after);
  const before = { newest: start.after, unread: undefined };
  return { began, start, ...countOn(uid, start, before, later) };
};

/** The unread messages among what was counted; rooms without any are omitted. */
export const toUnread = (counted: ReadonlyMap<RoomKey, Counted>): UnreadByRoom => {
  const unread = new Map<RoomKey, Unread>();
  for (const [room, { unread: found }] of counted) {
    if (found !== undefined) unread.set(room, found);
  }
  return unread;
};
