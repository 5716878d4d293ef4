import { ROOM_IDS, ROOM_TITLES, type RoomKey, toRoomKey } from '../rooms.ts';
import { toClientPath, toRoomPath } from '../routes.ts';
import { type Team, toFullName } from '../schemas/team.ts';
import { fold } from './search.ts';

/** Where one can go: a client, or one of a client's rooms. */
export interface Place {
  readonly path: string;
  readonly client: string;
  /** The room's title; undefined for the client. */
  readonly room: string | undefined;
}

const toPlaces = (team: Team): readonly Place[] => {
  const client = toFullName(team);
  const rooms = ROOM_IDS.map((id) => ({
    path: toRoomPath(toRoomKey(team.client_id, id)),
    client,
    room: ROOM_TITLES[id],
  }));
  return [{ path: toClientPath(team.client_id), client, room: undefined }, ...rooms];
};

/**
 * At most `max` places whose name, a room's with its client's, contains every word of the
 * query, in the order of the clients; without a query the clients.
 */
export const findPlaces = (
  teams: readonly Team[],
  query: string,
  max: number,
): readonly Place[] => {
  const words = fold(query).split(/\s+/).filter(Boolean);
  const found: Place[] = [];
  for (const place of teams.flatMap(toPlaces)) {
    if (found.length >= max) break;
    const name = fold(`${place.client} ${place.room ?? ''}`);
    const isWanted =
      words.length === 0 ? place.room === undefined : words.every((word) => name.includes(word));
    if (isWanted) found.push(place);
  }
  return found;
};

/**
 * The nearest room that is wanted before (-1) or after (1) one, over all clients in their
 * order; undefined at the ends.
 */
export const findNeighbourRoom = (
  teams: readonly Team[],
  room: RoomKey,
  step: -1 | 1,
  isWanted: (room: RoomKey) => boolean = () => true,
): RoomKey | undefined => {
  const rooms = teams.flatMap((team) => ROOM_IDS.map((id) => toRoomKey(team.client_id, id)));
  const at = rooms.indexOf(room);
  if (at === -1) return undefined;
  return step === 1 ? rooms.slice(at + 1).find(isWanted) : rooms.slice(0, at).findLast(isWanted);
};
