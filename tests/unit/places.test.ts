import { toRoomKey } from '#domain/rooms.ts';
import { findNeighbourRoom, findPlaces } from '#domain/rules/places.ts';
import type { Team } from '#domain/schemas/team.ts';
import { describe, expect, it } from 'vitest';

const team = (client_id: string, first_name: string, last_name: string): Team => ({
  client_id,
  client: { first_name, last_name },
});
const TEAMS = [team('c_1', 'Maya', 'Okafor'), team('c_2', 'José', 'Núñez')];
const found = (query: string, max = 9) =>
  findPlaces(TEAMS, query, max).map(({ client, room }) => [client, room].join(' ').trim());

describe('findPlaces', () => {
  it('offers the clients before anything is typed', () => {
    expect(found('')).toEqual(['Maya Okafor', 'José Núñez']);
    expect(found('  ')).toEqual(found(''));
  });

  it('finds clients and their rooms by every word, in any case and order', () => {
    expect(found('OKAF')).toEqual([
      'Maya Okafor',
      'Maya Okafor Team',
      'Maya Okafor General',
      'Maya Okafor Producers',
    ]);
    expect(found('gen maya')).toEqual(['Maya Okafor General']);
    expect(found('núñez team')).toEqual(['José Núñez Team']);
    expect(found('nobody')).toEqual([]);
  });

  it('stops at the most wanted', () => {
    expect(found('team', 1)).toEqual(['Maya Okafor Team']);
  });
});

describe('findNeighbourRoom', () => {
  it('goes on with the next client and ends at the ends', () => {
    const last = toRoomKey('c_1', 'producers');
    expect(findNeighbourRoom(TEAMS, last, 1)).toBe(toRoomKey('c_2', 'team'));
    expect(findNeighbourRoom(TEAMS, toRoomKey('c_2', 'team'), -1)).toBe(last);
    expect(findNeighbourRoom(TEAMS, toRoomKey('c_1', 'team'), -1)).toBe(undefined);
    expect(findNeighbourRoom(TEAMS, toRoomKey('c_2', 'producers'), 1)).toBe(undefined);
    expect(findNeighbourRoom(TEAMS, toRoomKey('c_9', 'team'), 1)).toBe(undefined);
  });

  it('passes over rooms nobody wants', () => {
    const first = toRoomKey('c_1', 'team');
    const wanted = toRoomKey('c_2', 'general');
    const isWanted = (room: string) => room === wanted || room === first;
    expect(findNeighbourRoom(TEAMS, first, 1, isWanted)).toBe(wanted);
    expect(findNeighbourRoom(TEAMS, wanted, -1, isWanted)).toBe(first);
    expect(findNeighbourRoom(TEAMS, wanted, 1, isWanted)).toBe(undefined);
  });
});
