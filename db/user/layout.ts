import { parseMarkFactKey, toKindPrefix, toMarkPrefix } from '#domain/envelope.ts';
import { isRoomKey, type RoomKey } from '#domain/rooms.ts';
import {
  DEFAULT_INBOX,
  type InboxChoice,
  isFilter,
  isOrder,
  ORDER_KEY,
} from '#domain/rules/inbox.ts';

import type { UserDatabase } from '../schema/database.ts';
import { META } from '../schema/tables.ts';
import { write } from '../schema/write.ts';

/**
 * What the user chose for the lists of clients and rooms, deleted with the user's database. All
 * except the order of the clients and the pins apply to this device only. A power cut may lose one.
 */

/** More clients than anyone works with, in a row that stays small. */
const VISITED_MAX = 300;

/** The rooms opened on this device, newest first. */
export const listVisited = async (db: UserDatabase): Promise<readonly RoomKey[]> => {
  const row = await db.findMeta(META.visited);
  return Array.isArray(row?.rooms) ? row.rooms.filter(isRoomKey) : [];
};

/** Moves a room to the front of the rooms opened before. */
export const recordVisit = (db: UserDatabase, room: RoomKey): Promise<void> => {
  const note = async () => {
    const before = await listVisited(db);
    if (before[0] === room) return;
    const rooms = [room, ...before.filter((other) => other !== room)].slice(0, VISITED_MAX);
    await db.putMeta({ key: META.visited, rooms });
  };
  return write(db, [db.meta], note, 'relaxed');
};

/** Whether the client column is wide. */
export const areClientsWide = async (db: UserDatabase): Promise<boolean> =>
  (await db.findMeta(META.layout))?.clientsWide ?? false;

/** Prefix of the keys of facts about the order of the clients. */
export const ORDER_MARKS = `${toKindPrefix('mark')}${ORDER_KEY}|`;

/**
 * How the user filters and orders the clients. An earlier version stored the order in the row, too.
 */
export const findInboxChoice = async (db: UserDatabase): Promise<InboxChoice> => {
  // The last key is the latest mark.
  const latest = db.log.where('key').startsWith(ORDER_MARKS).last();
  const [row, mark] = await Promise.all([db.findMeta(META.inbox), latest]);
  const order = mark ? parseMarkFactKey(mark.key)[3] : row?.order;
  return {
    filter: isFilter(row?.filter) ? row.filter : DEFAULT_INBOX.filter,
    order: isOrder(order) ? order : DEFAULT_INBOX.order,
  };
};

/** Prefix of the keys of facts about pinned clients. */
export const PIN_MARKS = toMarkPrefix('pinned');
/** `CHOSEN`, whose module loads after the first paint. */
const PINNED = '1';

/** The ids of the clients that the user pinned, on any device. */
export const listPinned = async ({ log }: UserDatabase): Promise<ReadonlySet<string>> => {
  const pinned = new Set<string>();
  // In key order: the last mark of a client is the latest.
  for (const { key } of await log.where('key').startsWith(PIN_MARKS).toArray()) {
    const [, id, , value] = parseMarkFactKey(key);
    // A value of a later version counts as not pinned.
    if (value === PINNED) pinned.add(id);
    else pinned.delete(id);
  }
  return pinned;
};
