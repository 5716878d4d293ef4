import { ROOM_IDS, ROOM_TITLES, type RoomKey, splitRoomKey, toRoomKey } from '../rooms.ts';
import { type Team, toFullName } from '../schemas/team.ts';
import { hasWords, toWords } from './search.ts';
import { sumClientUnread, type UnreadByRoom } from './unread.ts';

/** The room of a client that was opened last, `visited` being newest first; at first Team. */
export const findLastRoom = (clientId: string, visited: readonly RoomKey[]): RoomKey =>
  visited.find((room) => splitRoomKey(room).clientId === clientId) ?? toRoomKey(clientId, 'team');

/** A client that was found, with those of its rooms that can be meant. */
export interface ClientHit {
  readonly team: Team;
  readonly rooms: readonly RoomKey[];
  /** The query names a room of the client: without it the client itself is meant. */
  readonly isRoomNamed: boolean;
}

const toHit = (team: Team, words: readonly string[]): ClientHit | undefined => {
  const name = toFullName(team);
  const isRoomNamed = !hasWords(name, words);
  const rooms = ROOM_IDS.filter(
    (id) => !isRoomNamed || hasWords(`${name} ${ROOM_TITLES[id]}`, words),
  ).map((id) => toRoomKey(team.client_id, id));
  return rooms.length === 0 ? undefined : { team, rooms, isRoomNamed };
};

/**
 * At most `max` clients whose name, or a room's with its client's, contains every word of the
 * query: those with something unread first, then those visited last, then in their order.
 */
export const findClients = (
  teams: readonly Team[],
  query: string,
  known: { readonly unread: UnreadByRoom; readonly visited: readonly RoomKey[] },
  max: number,
): readonly ClientHit[] => {
  const words = toWords(query);
  const lastVisits = new Map<string, number>();
  for (const [index, room] of known.visited.entries()) {
    const { clientId } = splitRoomKey(room);
    if (!lastVisits.has(clientId)) lastVisits.set(clientId, index);
  }
  const toRank = ({ client_id }: Team): number =>
    sumClientUnread(known.unread, client_id) > 0 ? -1 : (lastVisits.get(client_id) ?? Infinity);
  const hits = teams.map((team) => toHit(team, words)).filter((hit) => hit !== undefined);
  const ranked = hits.map((hit) => ({ hit, rank: toRank(hit.team) }));
  return ranked
    .toSorted((a, b) => (a.rank === b.rank ? 0 : a.rank - b.rank))
    .slice(0, max)
    .map(({ hit }) => hit);
};

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
