import { ROOM_IDS, type RoomKey, splitRoomKey, toRoomKey } from '../rooms.ts';
import type { Team } from '../schemas/team.ts';
import type { UnreadByRoom } from './unread.ts';

/** The room of a client that was opened last (`visited` is newest first), else Team. */
export const findLastRoom = (clientId: string, visited: readonly RoomKey[]): RoomKey =>
  visited.find((room) => splitRoomKey(room).clientId === clientId) ?? toRoomKey(clientId, 'team');

const listRooms = (teams: readonly Team[]): readonly RoomKey[] =>
  teams.flatMap((team) => ROOM_IDS.map((id) => toRoomKey(team.client_id, id)));

/**
 * The previous (-1) or next (1) room across all clients in their order; undefined at the ends
 * and without a starting room.
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
 * The nearest other unread room before (-1) or after (1) a room, wrapping around; without a
 * starting room the last or the first one.
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
