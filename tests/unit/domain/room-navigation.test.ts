import { describe, expect, it } from 'vitest';

import { ROOM_TITLES, type RoomKey, splitRoomKey, toRoomKey } from '#domain/rooms.ts';
import { findClients } from '#domain/text/client-hits.ts';
import { findLastRoom, findNeighbourRoom, findNextUnread } from '#domain/rules/room-navigation.ts';
import type { UnreadByRoom } from '#domain/rules/unread.ts';
import { type Team, toFullName } from '#domain/schemas/team.ts';
import { TIMETOKEN_ZERO } from '#domain/timetoken.ts';

const team = (client_id: string, first_name: string, last_name: string): Team => ({
  client_id,
  client: { first_name, last_name },
});
const TEAMS = [
  team('c_1', 'Maya', 'Okafor'),
  team('c_2', 'José', 'Núñez'),
  team('c_3', 'Søren', 'Kjærgaard'),
];
const FIRST = toRoomKey('c_1', 'team');
const LAST = toRoomKey('c_3', 'producers');
const unreadIn = (...rooms: readonly RoomKey[]): UnreadByRoom =>
  new Map(rooms.map((room) => [room, { count: 1, first: TIMETOKEN_ZERO, newest: TIMETOKEN_ZERO }]));
const NONE = { unread: unreadIn(), visited: [] };
const found = (query: string, known: Parameters<typeof findClients>[2] = NONE, max = 9) =>
  findClients(TEAMS, query, known, max).map(({ team: one, rooms, isRoomNamed }) => {
    const titles = rooms.map((room) => ROOM_TITLES[splitRoomKey(room).roomId]).join('+');
    return isRoomNamed ? `${toFullName(one)}: ${titles}` : toFullName(one);
  });

describe('findClients', () => {
  it('offers all clients before a query', () => {
    expect(found('')).toEqual(['Maya Okafor', 'José Núñez', 'Søren Kjærgaard']);
    expect(found('  ')).toEqual(found(''));
  });

  it('finds clients and rooms by every word, in any case and order, without accents', () => {
    expect(found('OKAF')).toEqual(['Maya Okafor']);
    expect(found('gen maya')).toEqual(['Maya Okafor: General']);
    expect(found('nunez team')).toEqual(['José Núñez: Team']);
    expect(found('kjaergaard')).toEqual(['Søren Kjærgaard']);
    expect(found('okafor e')).toEqual(['Maya Okafor: Team+General+Producers']);
    expect(found('nobody')).toEqual([]);
  });

  it('lists unread first, then last visited, then the order of the clients', () => {
    const unread = unreadIn(toRoomKey('c_3', 'general'));
    const visited = [toRoomKey('c_2', 'team'), toRoomKey('c_3', 'team')];
    expect(found('', { unread, visited })).toEqual([
      'Søren Kjærgaard',
      'José Núñez',
      'Maya Okafor',
    ]);
  });

  it('stops at the maximum', () => {
    expect(found('team', NONE, 1)).toEqual(['Maya Okafor: Team']);
  });
});

describe('findLastRoom', () => {
  it('is the room opened last, else Team', () => {
    const visited = [toRoomKey('c_2', 'team'), toRoomKey('c_1', 'general'), FIRST];
    expect(findLastRoom('c_1', visited)).toBe(toRoomKey('c_1', 'general'));
    expect(findLastRoom('c_9', visited)).toBe(toRoomKey('c_9', 'team'));
  });
});

describe('findNeighbourRoom', () => {
  it('continues with the next client and stops at both ends', () => {
    const last = toRoomKey('c_1', 'producers');
    expect(findNeighbourRoom(TEAMS, last, 1)).toBe(toRoomKey('c_2', 'team'));
    expect(findNeighbourRoom(TEAMS, toRoomKey('c_2', 'team'), -1)).toBe(last);
    expect(findNeighbourRoom(TEAMS, FIRST, -1)).toBe(undefined);
    expect(findNeighbourRoom(TEAMS, LAST, 1)).toBe(undefined);
    expect(findNeighbourRoom(TEAMS, toRoomKey('c_9', 'team'), 1)).toBe(undefined);
    expect(findNeighbourRoom(TEAMS, undefined, 1)).toBe(undefined);
  });
});

describe('findNextUnread', () => {
  const middle = toRoomKey('c_2', 'general');
  const unread = unreadIn(FIRST, middle);

  it('is the nearest one in that direction, and wraps around', () => {
    expect(findNextUnread(TEAMS, FIRST, 1, unread)).toBe(middle);
    expect(findNextUnread(TEAMS, middle, -1, unread)).toBe(FIRST);
    expect(findNextUnread(TEAMS, middle, 1, unread)).toBe(FIRST);
    expect(findNextUnread(TEAMS, FIRST, -1, unread)).toBe(middle);
    expect(findNextUnread(TEAMS, LAST, 1, unread)).toBe(FIRST);
  });

  it('starts at an end if no room is open', () => {
    expect(findNextUnread(TEAMS, undefined, 1, unread)).toBe(FIRST);
    expect(findNextUnread(TEAMS, undefined, -1, unread)).toBe(middle);
  });

  it('is never the room itself', () => {
    expect(findNextUnread(TEAMS, FIRST, 1, unreadIn(FIRST))).toBe(undefined);
    expect(findNextUnread(TEAMS, undefined, 1, unreadIn())).toBe(undefined);
  });
});
