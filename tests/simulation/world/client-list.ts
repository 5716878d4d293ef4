import type { Team } from '#domain/schemas/team.ts';

const CLIENTS = ['c_001', 'c_002'].map((client_id) => ({
  client_id,
  client: { first_name: 'Ada', last_name: client_id },
}));

/** The client list. In every second seed it lacks a client: only opening its room reads a page. */
export const listClients = (seed: number): readonly Team[] =>
  CLIENTS.slice(0, seed % 2 === 0 ? 1 : 2);
