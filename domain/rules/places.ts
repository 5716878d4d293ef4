import { ROOM_IDS, type RoomKey, splitRoomKey, toRoomKey } from '../rooms.ts';
import type { Team } from '../schemas/team.ts';
import type { UnreadByRoom } from './unread.ts';

/** The room of a client that was opened last, `visited` being newest first; at first Team. */
export const findLastRoom = (clientId: string, visited: readonly RoomKey[]): RoomKey =>
  visited.find((room) => splitRoomKey(room).clientId === clientId) ?? toRoomKey(clientId, 'team');

const listRooms = (teams: readonly Team[]): readonly RoomKey[] =>
  teams.flatMap((team) => ROOM_IDS.map((id) => toRoomKey(team.client_id, id)));

/**
 * The room before (-1) or after (1) one, over all clients in their order; undefined at the ends
 * and without a room to start from.
 */
export const findNeighbourRoom = (
  teams: readonly Team[],
  room: RoomKey | undefined,
  step: -1 | 1,
): RoomKey | undefined => {
  const rooms = listRooms(teams);
  const at = room === undefined ? -1 : rooms.indexOf(room);
  return at === -1 ? undefined : rooms[at + step];
};

/**
 * The nearest other room with something unread before (-1) or after (1) one, going on at the
 * other end; from no room the last or the first one.
 */
export const findNextUnread = (
  teams: readonly Team[],
  room: RoomKey | undefined,
  step: -1 | 1,
  unread: UnreadByRoom,
): RoomKey | undefined => {
  const rooms = listRooms(teams);
  const at = room === undefined ? -1 : rooms.indexOf(room);
  const following = [...rooms.slice(at + 1), ...rooms.slice(0, Math.max(at, 0))];
  const isUnread = (other: RoomKey): boolean => unread.has(other);
  return step === 1 ? following.find(isUnread) : following.findLast(isUnread);
};
