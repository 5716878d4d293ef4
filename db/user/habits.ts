import { isRoomKey, type RoomKey } from '#domain/rooms.ts';
import { FIRST_HABITS, type InboxHabits, isFilter, isOrder } from '#domain/rules/inbox.ts';

import type { UserDatabase } from '../schema/database.ts';
import { META, ROW_VERSION } from '../schema/tables.ts';
import { write } from '../schema/write.ts';

/** Habits of the user on this device, deleted with the user's database. A power cut may lose one. */

/** More clients than anyone works with, in a row that stays small. */
const VISITED_MAX = 300;

/** The rooms opened on this device, newest first. */
export const listVisited = async (db: UserDatabase): Promise<readonly RoomKey[]> => {
  const row = await db.meta.get(META.visited);
  return row?.key === META.visited && Array.isArray(row.rooms) ? row.rooms.filter(isRoomKey) : [];
};

/** Moves a room to the front of the rooms opened before. */
export const noteVisit = (db: UserDatabase, room: RoomKey): Promise<void> => {
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

export const keepClientsWide = (db: UserDatabase, clientsWide: boolean): Promise<void> => {
  const keep = async () => {
    await db.meta.put({ key: META.layout, clientsWide, v: ROW_VERSION });
  };
  return write(db, [db.meta], keep, 'relaxed');
};

/** How the user looks at the clients. */
export const findInboxHabits = async (db: UserDatabase): Promise<InboxHabits> => {
  const row = await db.meta.get(META.inbox);
  if (row?.key !== META.inbox) return FIRST_HABITS;
  const { filter, order } = row;
  return {
    filter: isFilter(filter) ? filter : FIRST_HABITS.filter,
    order: isOrder(order) ? order : FIRST_HABITS.order,
  };
};

export const keepInboxHabits = (db: UserDatabase, habits: InboxHabits): Promise<void> => {
  const keep = async () => {
    await db.meta.put({ key: META.inbox, ...habits, v: ROW_VERSION });
  };
  return write(db, [db.meta], keep, 'relaxed');
};
