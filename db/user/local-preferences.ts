import { toKindPrefix } from '#domain/envelope.ts';
import { isRoomKey, type RoomKey } from '#domain/rooms.ts';
import {
  DEFAULT_INBOX,
  type InboxPreferences,
  isFilter,
  isOrder,
  ORDER_KEY,
} from '#domain/rules/inbox.ts';

import type { UserDatabase } from '../schema/database.ts';
import { META, ROW_VERSION } from '../schema/tables.ts';
import { write } from '../schema/write.ts';

/**
 * Preferences of the user, deleted with the user's database. All except the order of the clients
 * and the pins apply to this device only. A power cut may lose one.
 */

/** More clients than anyone works with, in a row that stays small. */
const VISITED_MAX = 300;

/** The rooms opened on this device, newest first. */
export const listVisited = async (db: UserDatabase): Promise<readonly RoomKey[]> => {
  const row = await db.meta.get(META.visited);
  return row?.key === META.visited && Array.isArray(row.rooms) ? row.rooms.filter(isRoomKey) : [];
};

/** Moves a room to the front of the rooms opened before. */
export const recordVisit = (db: UserDatabase, room: RoomKey): Promise<void> => {
  const note = async () => {
    const before = await listVisited(db);
    if (before[0] === room) return;
    const rooms = [room, ...before.filter((other) => other !== room)].slice(0, VISITED_MAX);
    await db.meta.put({ key: META.visited, rooms, v: ROW_VERSION });
  };
  return write(db, [db.meta], note, 'relaxed');
};

/** Whether the client column is wide. */
export const areClientsWide = async (db: UserDatabase): Promise<boolean> => {
  const row = await db.meta.get(META.layout);
  return row?.key === META.layout && row.clientsWide;
};

/** Prefix of the keys of facts about the order of the clients. */
export const ORDER_MARKS = `${toKindPrefix('mark')}${ORDER_KEY}|`;

/**
 * How the user filters and orders the clients. An earlier version stored the order in the row, too.
 */
export const findInboxPreferences = async ({
  meta,
  log,
}: UserDatabase): Promise<InboxPreferences> => {
  // The last key is the latest mark.
  const latest = log.where('key').startsWith(ORDER_MARKS).last();
  const [row, mark] = await Promise.all([meta.get(META.inbox), latest]);
  const { filter, order: kept } = row?.key === META.inbox ? row : { filter: 0, order: 0 };
  const order = mark ? mark.key.split('|')[3] : kept;
  return {
    filter: isFilter(filter) ? filter : DEFAULT_INBOX.filter,
    order: isOrder(order) ? order : DEFAULT_INBOX.order,
  };
};

/** Prefix of the keys of facts about pinned clients. */
export const PIN_MARKS = `${toKindPrefix('mark')}pinned:`;
/** `CHOSEN`, whose module loads after the first paint. */
const PINNED = '1';

/** The ids of the clients that the user pinned, on any device. */
export const listPinned = async ({ log }: UserDatabase): Promise<ReadonlySet<string>> => {
  const pinned = new Set<string>();
  // In key order: the last mark of a client is the latest.
  for (const { key } of await log.where('key').startsWith(PIN_MARKS).toArray()) {
    const [id = '', , ...value] = key.slice(PIN_MARKS.length).split('|');
    // A value of a later version counts as not pinned.
    if (value.join('|') === PINNED) pinned.add(id);
    else pinned.delete(id);
  }
  return pinned;
};
