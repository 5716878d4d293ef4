import { ALL_ROOMS, isRoomKey, type RoomKey } from '#domain/rooms.ts';
import type { RoomActivity } from '#domain/project/rows.ts';
import type { Unread, UnreadByRoom } from '#domain/rules/unread.ts';
import { UNREAD_COUNTED_MAX } from '#domain/rules/unread-label.ts';
import { parseRoomActivity } from '#domain/project/row-schemas.ts';
import { laterOf, nextTimetoken, type Timetoken, TIMETOKEN_MAX } from '#domain/timetoken.ts';

import { loadMessages } from '../facts/load-messages.ts';
import type { UserDatabase } from '../schema/database.ts';
import { toReadable } from '../log/readable-tables.ts';
import { TABLES } from '../schema/tables.ts';
import type { DueRooms } from './room-states.ts';

const PENDING: RoomActivity['pending'] = 1;

/** What was counted in a room, from which the next count can go on. */
export interface Counted {
  /** The read position from which was counted. */
  readonly after: Timetoken;
  /** The newest message that was counted, of anyone; `after` if there was none. */
  readonly newest: Timetoken;
  readonly unread: Unread | undefined;
}

const toActivities = (db: UserDatabase, stored: readonly unknown[]): readonly RoomActivity[] =>
  toReadable(db, TABLES.activity, parseRoomActivity, stored);

/**
 * Messages of others after `after` and after the user's own newest message there, because
 * answering marks as read. It reads all at once (a room has at most `RETENTION_KEPT_MAX`): a
 * cursor from the newest on takes ten times as long. What is known must hold all messages up to
 * its newest one.
 */
const countRoom = async (
  db: UserDatabase,
  room: RoomKey,
  after: Timetoken,
  known: Counted | undefined,
): Promise<Counted> => {
  const before = known?.after === after ? known : { after, newest: after, unread: undefined };
  const { rows: later } = await loadMessages(db, room, { from: nextTimetoken(before.newest) });
  const own = later.findLastIndex(({ publisher }) => publisher === db.uid);
  const earlier = own === -1 ? before.unread : undefined;
  const count = Math.min((earlier?.count ?? 0) + later.length - own - 1, UNREAD_COUNTED_MAX);
  const first = earlier?.first ?? later[own + 1]?.timetoken;
  return {
    after,
    newest: later.at(-1)?.timetoken ?? before.newest,
    unread: first === undefined ? undefined : { count, first },
  };
};

/** The activity of some rooms, or of all rooms with an entry after their read position. */
const listActivity = async (
  db: UserDatabase,
  readUpTo: Timetoken,
  due: DueRooms<Counted> | undefined,
): Promise<readonly RoomActivity[]> => {
  if (due !== undefined) {
    const stored: readonly unknown[] = await db.activity.bulkGet([...due.keys()]);
    return toActivities(
      db,
      stored.filter((row) => row !== undefined),
    );
  }
  const pending = await db.activity
    .where('[pending+newest]')
    .between([PENDING, readUpTo], [PENDING, TIMETOKEN_MAX], false, true)
    .toArray();
  return toActivities(db, pending);
};

/**
 * Counts the unread messages of all rooms, or of those that are due; rooms without an entry after
 * their read position are omitted, so that a thousand clients cost no more.
 */
export const countUnread = (
  db: UserDatabase,
  due?: DueRooms<Counted>,
): PromiseLike<ReadonlyMap<RoomKey, Counted>> =>
  db.transaction('r', [db.activity, ...db.messageTables], async () => {
    const counted = new Map<RoomKey, Counted>();
    const began = await db.activity.get(ALL_ROOMS);
    const [all] = began === undefined ? [] : toActivities(db, [began]);
    if (all === undefined) return counted;
    const active = await listActivity(db, all.readUpTo, due);
    const found = active.map(async ({ room, newest, readUpTo, pending }) => {
      if (!isRoomKey(room) || pending !== PENDING || newest <= all.readUpTo) return;
      const after = laterOf(readUpTo, all.readUpTo);
      counted.set(room, await countRoom(db, room, after, due?.get(room)));
    });
    await Promise.all(found);
    return counted;
  });

/** The unread messages among what was counted; rooms without any are omitted. */
export const toUnread = (counted: ReadonlyMap<RoomKey, Counted>): UnreadByRoom => {
  const unread = new Map<RoomKey, Unread>();
  for (const [room, { unread: found }] of counted) {
    if (found !== undefined) unread.set(room, found);
  }
  return unread;
};
