import type { DatabaseSync } from 'node:sqlite';

import type { Producer } from '#domain/schemas/producer.ts';
import type { Team } from '#domain/schemas/team.ts';

import type { StaffData } from '../kernel/contracts.ts';

/** A staff member in the embedded `GET /staff/producers`. */
export interface EmbeddedProducer extends Producer {
  readonly role: 'producer' | 'team';
}

export interface EmbeddedStaffData extends StaffData {
  listProducers(): readonly EmbeddedProducer[];
  findClient(clientId: string): Team | undefined;
  hasClient(clientId: string): boolean;
}

interface ClientRow {
  readonly client_id: string;
  readonly first_name: string;
  readonly last_name: string;
}

const toTeam = (row: ClientRow): Team => ({
  client_id: row.client_id,
  client: { first_name: row.first_name, last_name: row.last_name },
});

export const createStaffData = (sql: DatabaseSync): EmbeddedStaffData => {
  const clients = sql.prepare('SELECT * FROM client ORDER BY client_id');
  const client = sql.prepare('SELECT * FROM client WHERE client_id = ?');
  const staff = sql.prepare('SELECT uid, name, role FROM staff_account ORDER BY name');
  const findClient = (clientId: string): Team | undefined => {
    const row = client.get(clientId) as unknown as ClientRow | undefined;
    return row && toTeam(row);
  };
  return {
    listTeams: () => (clients.all() as unknown as ClientRow[]).map(toTeam),
    listProducers: () => staff.all() as unknown as EmbeddedProducer[],
    findClient,
    hasClient: (clientId) => client.get(clientId) !== undefined,
  };
};
