import { ALL_ROOMS, isRoomKey, type RoomKey } from '#domain/rooms.ts';
import type { RoomActivity } from '#domain/project/rows.ts';
import { type Unread, UNREAD_COUNTED_MAX } from '#domain/rules/unread.ts';
import { parseRoomActivity } from '#domain/project/row-schemas.ts';
import { laterOf, type Timetoken, TIMETOKEN_MAX } from '#domain/timetoken.ts';

import type { UserDatabase } from '../schema/database.ts';
import { toReadable } from '../log/readable-tables.ts';
import { TABLES } from '../schema/tables.ts';

const PENDING: RoomActivity['pending'] = 1;

const toActivities = (db: UserDatabase, stored: readonly unknown[]): readonly RoomActivity[] =>
  toReadable(db, TABLES.activity, parseRoomActivity, stored);

/**
 * Messages of others after `after` and after the user's own newest message there, because
 * answering marks as read. `undefined` if there are none. It reads all at once (a room has at
 * most `RETENTION_KEPT_MAX`): a cursor from the newest on takes ten times as long.
 */
const findUnread = async (
  db: UserDatabase,
  room: RoomKey,
  after: Timetoken,
  uid: string,
): Promise<Unread | undefined> => {
  const later = await db.messages
    .where('[room+timetoken]')
    .between([room, after], [room, TIMETOKEN_MAX], false, true)
    .toArray();
  const first = later.findLastIndex(({ publisher }) => publisher === uid) + 1;
  const count = Math.min(later.length - first, UNREAD_COUNTED_MAX);
  return later[first] && { count, first: later[first].timetoken };
};

/** The activity of some rooms, or of all rooms with an entry after their read position. */
const listActivity = async (
  db: UserDatabase,
  readUpTo: Timetoken,
  rooms: readonly RoomKey[] | undefined,
): Promise<readonly RoomActivity[]> => {
  if (rooms !== undefined) {
    const stored: readonly unknown[] = await db.activity.bulkGet([...rooms]);
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
 * Unread messages by room, of all rooms or of some; rooms without any are omitted. Reads only
 * rooms with a newer entry than the read position, so that a thousand clients cost no more.
 */
export const listUnread = (
  db: UserDatabase,
  uid: string,
  rooms?: readonly RoomKey[],
): PromiseLike<ReadonlyMap<RoomKey, Unread>> =>
  db.transaction('r', [db.activity, db.messages], async () => {
    const unread = new Map<RoomKey, Unread>();
    const began = await db.activity.get(ALL_ROOMS);
    const [all] = began === undefined ? [] : toActivities(db, [began]);
    if (all === undefined) return unread;
    const active = await listActivity(db, all.readUpTo, rooms);
    const found = active.map(async ({ room, newest, readUpTo, pending }) => {
      if (!isRoomKey(room) || pending !== PENDING || newest <= all.readUpTo) return;
      const entry = await findUnread(db, room, laterOf(readUpTo, all.readUpTo), uid);
      if (entry !== undefined) unread.set(room, entry);
    });
    await Promise.all(found);
    return unread;
  });
