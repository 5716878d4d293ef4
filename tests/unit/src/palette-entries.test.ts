import { expect, test } from 'vitest';

import { toRoomKey } from '#domain/rooms.ts';
import { composeGroups, type PaletteData } from '#src/shell/palette/entries.ts';
import { at } from '#tests/support/facts.ts';

const toTeam = (first_name: string, n: number) => ({
  client_id: `c_${n}`,
  client: { first_name, last_name: 'Castellano' },
});

const DATA: PaletteData = {
  pages: [],
  teams: Array.from({ length: 40 }, (_, n) => toTeam(n === 39 ? 'Ray' : `Client ${n}`, n)),
  unread: new Map(),
  messages: [],
  visited: [],
  here: '/',
  pin: undefined,
  canSignOut: false,
};

const listClients = (title: string, query: string, data: PaletteData) =>
  composeGroups(query, data)
    .find((group) => group.title === title)
    ?.entries.map((entry) => ('client' in entry ? entry.client : ''));

test('a client whose name matches comes before those with a matching room only', () => {
  // "General" contains "ra".
  const names = listClients('Clients', 'ra', DATA);
  expect(names?.[0]).toBe('Ray Castellano');
  expect(names).toHaveLength(30);
});

test('the unread rooms begin with the one that has the newest message', () => {
  const unread = new Map(
    [3, 1, 6, 2, 5, 4].map((n) => [
      toRoomKey(`c_${n}`, 'team'),
      { count: 1, first: at(n), newest: at(n) },
    ]),
  );
  const names = listClients('Unread', '', { ...DATA, unread });
  expect(names).toEqual([6, 5, 4, 3, 2].map((n) => `Client ${n} Castellano`));
});
