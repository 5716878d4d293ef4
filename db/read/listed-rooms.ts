import { toMarkPrefix } from '#domain/envelope.ts';
import type { Unsubscribe } from '#domain/ports/kit.ts';
import { ROOM_IDS, type RoomKey, toRoomKey } from '#domain/rooms.ts';
import { parseMarkKey, type RoomMarkKind } from '#domain/schemas/marks.ts';
import { parseTeams } from '#domain/schemas/team.ts';
import { parseUnread } from '#domain/schemas/unread-mark.ts';

import { toMarks } from '../facts/list-marks.ts';
import type { UserDatabase } from '../schema/database.ts';
import { DOCUMENTS } from '../schema/tables.ts';
import { findDocument } from './queries.ts';
import { watch } from './watch.ts';

/** Prefixes of the keys of marks that show a room to the user regardless of its messages. */
const MARKS = ['reminder', 'taken', 'unread'].map(toMarkPrefix);

/** The rooms of all clients in the list, in its order. */
export const listRooms = async (db: UserDatabase): Promise<readonly RoomKey[]> => {
  const teams = parseTeams((await findDocument(db, DOCUMENTS.teams))?.value) ?? [];
  return teams.flatMap(({ client_id }) => ROOM_IDS.map((roomId) => toRoomKey(client_id, roomId)));
};

const isOn = (kind: RoomMarkKind, value: string, uid: string): boolean => {
  if (kind === 'taken') return value === uid;
  // The mark stays once the room was read.
  return kind === 'unread' ? parseUnread(value) !== undefined : value !== '';
};

/** The rooms that the user has taken, marked as unread, or wants to be reminded of. */
const findMarked = async ({ log, uid }: UserDatabase): Promise<ReadonlySet<RoomKey>> => {
  const marks = toMarks(await log.where('key').startsWithAnyOf(MARKS).toArray());
  const marked = new Set<RoomKey>();
  for (const [key, { value }] of marks) {
    const about = parseMarkKey(key);
    if (about?.room !== undefined && isOn(about.kind, value, uid)) marked.add(about.room);
  }
  return marked;
};

/** See `Store.watchRooms`. */
export const watchRooms = (
  db: UserDatabase,
  listener: (rooms: readonly RoomKey[]) => void,
): Unsubscribe => {
  const list = async () => {
    const [rooms, marked] = await Promise.all([listRooms(db), findMarked(db)]);
    return rooms.toSorted((a, b) => Number(marked.has(b)) - Number(marked.has(a)));
  };
  return watch(db, { documents: [DOCUMENTS.teams], log: MARKS }, list, listener);
};
