import type { Team } from '#domain/schemas/team.ts';

/** A demo sign-in; its password is public by design. */
export interface DemoAccount {
  readonly uid: string;
  readonly email: string;
  readonly password: string;
  readonly name: string;
  readonly role: 'producer' | 'team';
}

export const DEMO_ACCOUNTS = [
  {
    uid: 'u_producer',
    email: 'producer@example.com',
    password: 'producer',
    name: 'Jonas Weidner',
    role: 'producer',
  },
  {
    uid: 'u_team',
    email: 'team@example.com',
    password: 'teammate',
    name: 'Leila Haddad',
    role: 'team',
  },
] as const satisfies readonly DemoAccount[];

const toClient = (client_id: string, first_name: string, last_name: string): Team => ({
  client_id,
  client: { first_name, last_name },
});

/** Names of several alphabets and lengths, to test the lists with difficult cases. */
export const DEMO_CLIENTS: readonly Team[] = [
  toClient('c_001', 'Maya', 'Okafor'),
  toClient('c_002', 'Søren', 'Kjærgaard'),
  toClient('c_003', 'Aoife', "O'Sullivan"),
  toClient('c_004', 'ליאור', 'בן־דוד'),
  toClient('c_005', 'Tomás', 'Echeverría'),
  toClient('c_006', 'Beatriz', 'Figueiredo'),
  toClient('c_007', 'Desmond', 'Hargreaves'),
  toClient('c_008', 'Wilhelmina-Alexandra', 'von Hohenberg-Schwarzenfels zu Lichtenau'),
  toClient('c_009', 'Kenji', 'Watanabe'),
  toClient('c_010', 'Zuzana', 'Dvořáková'),
  toClient('c_011', 'Gabriel', 'Lefèvre'),
  toClient('c_012', 'Precious', 'Mthembu'),
  toClient('c_013', 'Ingrid', 'Solberg'),
  toClient('c_014', 'Ray', 'Castellano'),
  toClient('c_015', 'Nadia', 'Petrenko'),
  toClient('c_016', 'Hugh', 'Pemberton'),
];
