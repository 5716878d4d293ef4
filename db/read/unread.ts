import type { UnreadGap } from '#domain/ports/storage.ts';
import { ALL_ROOMS, isRoomKey, type RoomKey } from '#domain/rooms.ts';
import type { MessageRow, RoomActivity } from '#domain/project/rows.ts';
import { coverRoom } from '#domain/project/segments.ts';
import {
  findAnswered,
  findUnreadGap,
  type Unread,
  type UnreadByRoom,
} from '#domain/rules/unread.ts';
import { UNREAD_COUNTED_MAX } from '#domain/rules/unread-label.ts';
import { parseRoomActivity } from '#domain/project/row-schemas.ts';
import {
  laterOf,
  nextTimetoken,
  type Timetoken,
  TIMETOKEN_MAX,
  TIMETOKEN_ZERO,
} from '#domain/timetoken.ts';

import type { UnreadMark, UnreadMarks } from '../facts/list-unread-marks.ts';
import { loadMessages } from '../facts/load-messages.ts';
import type { UserDatabase } from '../schema/database.ts';
import { findCoverages, toReadable } from '../log/readable-tables.ts';
import { findStreamed } from '../log/segments.ts';
import { TABLES } from '../schema/tables.ts';
import type { DueRooms, RoomAdditions } from './room-states.ts';

const PENDING: RoomActivity['pending'] = 1;

/** The result of counting a room, from which the next count can continue. */
export interface Counted {
  /** The position at which the user's reading began, in all rooms. */
  readonly began: Timetoken;
  /** The start of the count. */
  readonly start: Start;
  /** Messages after this position count: that of the start, or what the user has answered. */
  readonly after: Timetoken;
  /** The newest message counted, by any author; `start.after` if there was none. */
  readonly newest: Timetoken;
  readonly unread: Unread | undefined;
  /** Where earlier unread messages may be missing. */
  readonly gap?: UnreadGap | undefined;
}

/** Where the unread messages of a room begin. */
interface Start {
  /** The read position, or the position after which messages are marked as unread. */
  readonly after: Timetoken;
  /** The user's own messages up to here do not count as replies. */
  readonly upTo: Timetoken;
  /** Identifies the unread mark. */
  readonly markId: string;
}

const toActivities = (db: UserDatabase, stored: readonly unknown[]): readonly RoomActivity[] =>
  toReadable(db, TABLES.activity, parseRoomActivity, stored);

/** The known count of a room before `later` messages. */
type Before = Pick<Counted, 'after' | 'newest' | 'unread' | 'gap'>;

const toNothing = ({ after }: Start): Before => ({ after, newest: after, unread: undefined });

/**
 * Counts the messages of others after the start and after what the user's own messages answer,
 * because replying marks a room as read. Undefined if only some of the known ones are answered.
 */
const countOn = (
  uid: string,
  start: Start,
  before: Before,
  later: readonly MessageRow[],
): Before | undefined => {
  const { upTo, markId } = start;
  const isOwn = ({ publisher }: MessageRow): boolean => publisher === uid;
  const answers = later.filter((row) => isOwn(row) && row.timetoken > upTo);
  const answered = answers.map(findAnswered).reduce(laterOf, TIMETOKEN_ZERO);
  const isOpen = before.unread !== undefined && answered < before.newest;
  if (isOpen && answered >= before.unread.first) return undefined;
  const earlier = isOpen ? before.unread : undefined;
  const after = laterOf(before.after, answered);
  const others = later.filter((row) => !isOwn(row) && row.timetoken > answered);
  const count = Math.min((earlier?.count ?? 0) + others.length, UNREAD_COUNTED_MAX);
  const first = earlier?.first ?? others[0]?.timetoken;
  const last = others.at(-1)?.timetoken ?? earlier?.newest;
  const newest = later.at(-1)?.timetoken ?? before.newest;
  const gap = before.gap && after < before.gap.before ? before.gap : undefined;
  if (first === undefined || last === undefined) return { after, newest, unread: undefined, gap };
  const isMarked = first <= upTo;
  const gapAfter = gap && { gapAfter: gap.after };
  const unread = { count, first, newest: last, ...(isMarked && { markId }), ...gapAfter };
  return { after, newest, unread, gap };
};

const isSameStart = (a: Start, b: Start): boolean => a.after === b.after && a.markId === b.markId;

/**
 * Reads all messages at once (a room has at most `RETENTION_KEPT_MAX`): a cursor starting at the
 * newest takes ten times as long. `known` must include all messages up to its newest one.
 */
const countRoom = async (
  db: UserDatabase,
  room: RoomKey,
  start: Start,
  known: Counted | undefined,
): Promise<Before> => {
  const countFrom = async (before: Before): Promise<Before | undefined> => {
    const { rows } = await loadMessages(db, room, { from: nextTimetoken(before.newest) });
    return countOn(db.uid, start, before, rows);
  };
  const isKnown = known !== undefined && isSameStart(known.start, start);
  const nothing = toNothing(start);
  return (isKnown && (await countFrom(known))) || (await countFrom(nothing)) || nothing;
};

/** Some rooms, or all with an entry after their read position or marked as unread. */
const listActivity = async (
  db: UserDatabase,
  readUpTo: Timetoken,
  unreadMarks: UnreadMarks,
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
  const unlisted = new Set<string>(unreadMarks.keys());
  for (const { room } of pending) unlisted.delete(room);
  return [...toActivities(db, pending), ...(await list([...unlisted].filter(isRoomKey)))];
};

const NOT_MARKED = { upTo: TIMETOKEN_ZERO, markId: '' };

/** Undefined if nothing in the room can be unread. */
const toStart = (
  { newest, readUpTo, pending }: RoomActivity,
  began: Timetoken,
  mark: UnreadMark | undefined,
): Start | undefined => {
  if (mark !== undefined) {
    return { after: mark.from, upTo: mark.upTo, markId: mark.name };
  }
  if (pending !== PENDING || newest <= began) return undefined;
  return { ...NOT_MARKED, after: laterOf(readUpTo, began) };
};

/** Adds to each count whether the device may lack earlier unread messages. */
const withGaps = async (
  db: UserDatabase,
  counted: ReadonlyMap<RoomKey, Counted>,
): Promise<ReadonlyMap<RoomKey, Counted>> => {
  if (counted.size === 0) return counted;
  const rooms = [...counted.keys()];
  const [streamed, pages] = await Promise.all([findStreamed(db), findCoverages(db, rooms)]);
  const byRoom = new Map(pages.map((own) => [own.room, own]));
  const toCounted = (room: RoomKey, known: Counted): Counted => {
    const coverage = coverRoom(room, byRoom.get(room), streamed);
    const gap = findUnreadGap(coverage, known.after, known.unread?.first ?? known.newest);
    if (known.unread === undefined) return { ...known, gap };
    const { gapAfter: _known, ...unread } = known.unread;
    return { ...known, unread: gap ? { ...unread, gapAfter: gap.after } : unread, gap };
  };
  return new Map(Array.from(counted, ([room, known]) => [room, toCounted(room, known)]));
};

/**
 * Counts the unread messages of all rooms, or of those that are due; rooms without an entry after
 * their read position are omitted, so that a thousand clients cost no more. Undefined while it is
 * not known where the user's reading began: on a new device, until the user's log was read.
 */
export const countUnread = (
  db: UserDatabase,
  unreadMarks: UnreadMarks,
  due?: DueRooms<Counted>,
  onSnapshot?: () => void,
): PromiseLike<ReadonlyMap<RoomKey, Counted> | undefined> =>
  db.transaction(
    'r',
    [db.activity, db.coverage, db.log, db.meta, ...db.messageTables],
    async () => {
      const counted = new Map<RoomKey, Counted>();
      const stored = await db.activity.get(ALL_ROOMS);
      onSnapshot?.();
      const [all] = stored === undefined ? [] : toActivities(db, [stored]);
      if (all === undefined) return undefined;
      const { readUpTo: began } = all;
      const active = await listActivity(db, began, unreadMarks, due);
      const counts = active.map(async (activity) => {
        const { room } = activity;
        if (!isRoomKey(room)) return;
        const start = toStart(activity, began, unreadMarks.get(room));
        if (start === undefined) return;
        const found = await countRoom(db, room, start, due?.get(room));
        counted.set(room, { began, start, ...found });
      });
      await Promise.all(counts);
      return withGaps(db, counted);
    },
  );

/**
 * The count of a room after `additions`, all later than the known messages; undefined if earlier
 * messages have to be read, because the read position advanced to one of them.
 */
export const extendCount = (
  uid: string,
  known: Counted,
  { rows, activity }: RoomAdditions,
  mark: UnreadMark | undefined,
): Counted | undefined => {
  const { began } = known;
  const readUpTo = laterOf(activity?.readUpTo ?? TIMETOKEN_ZERO, began);
  const start =
    activity === undefined
      ? known.start
      : (toStart(activity, began, mark) ?? { ...NOT_MARKED, after: readUpTo });
  const isSame = isSameStart(known.start, start);
  if (!isSame && start.after < known.newest) return undefined;
  const before = isSame ? known : toNothing(start);
  const later = rows.filter(({ timetoken }) => timetoken > before.newest);
  const found = countOn(uid, start, before, later);
  return found && { began, start, ...found };
};

/** The unread messages of counted rooms; rooms without any are omitted. */
export const toUnread = (counted: ReadonlyMap<RoomKey, Counted>): UnreadByRoom => {
  const unread = new Map<RoomKey, Unread>();
  for (const [room, { unread: found }] of counted) {
    if (found !== undefined) unread.set(room, found);
  }
  return unread;
};
