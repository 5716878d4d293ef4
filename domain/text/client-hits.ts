import { ROOM_IDS, ROOM_TITLES, type RoomKey, splitRoomKey, toRoomKey } from '../rooms.ts';
import { type Team, toFullName } from '../schemas/team.ts';
import { hasWords, toWords } from './search.ts';
import { sumClientUnread, type UnreadByRoom } from '../rules/unread.ts';

/** A matching client, with those of its rooms that match. */
export interface ClientHit {
  readonly team: Team;
  readonly rooms: readonly RoomKey[];
  /** The query names a room of the client; otherwise it names the client itself. */
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
 * At most `max` clients whose name, or a room's name with its client's, contains every word of the
 * query. Order: clients with unread messages, then the most recently visited ones, then the list
 * order.
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
