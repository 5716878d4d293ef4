import { TABLES } from './tables.ts';

/** One step of a database's schema. Steps are appended, never edited once shipped. */
export interface SchemaVersion {
  readonly version: number;
  /** Dexie's notation: primary key, then indices; `null` drops a table. */
  readonly stores: Readonly<Record<string, string | null>>;
}

/** A signed-in user's database. Changes are additive: an old page may still be writing. */
export const USER_SCHEMA: readonly SchemaVersion[] = [
  {
    version: 1,
    // The log of facts; threads read by room and time; the outbox read by room and order, and by
    // state over all rooms.
    stores: {
      [TABLES.log]: '++seq,&key',
      [TABLES.messages]: 'key,[room+timetoken]',
      [TABLES.outbox]: 'id,[room+seq],[state+room]',
      [TABLES.coverage]: 'room',
      [TABLES.documents]: 'key',
      [TABLES.meta]: 'key',
      [TABLES.quarantine]: '++id',
    },
  },
  {
    version: 2,
    // Drafts outlive a reload; each tab has its own.
    stores: { [TABLES.drafts]: 'tab' },
  },
  {
    version: 3,
    // Unread rooms, which have entries after their read position, are found by one index.
    stores: { [TABLES.activity]: 'room,[pending+newest]' },
  },
  {
    version: 4,
    // A message is stored once, under the key by which a thread is read.
    stores: { [TABLES.entries]: 'k,&f' },
  },
];

/** The data of this device outside a user's database. */
export const DEVICE_SCHEMA: readonly SchemaVersion[] = [
  {
    version: 1,
    // The last verified session, for an offline start.
    stores: { [TABLES.sessions]: 'key' },
  },
  {
    version: 2,
    // Sign-outs that work without a network, and the work that they leave.
    stores: { [TABLES.signOuts]: 'key', [TABLES.departures]: 'uid', [TABLES.kept]: 'uid' },
  },
  {
    version: 3,
    // Kept messages are encrypted; pages of the previous version may still write plaintext.
    stores: { [TABLES.sealed]: '++id,uid' },
  },
];

/**
 * Version of the projections. Raise it when a reducer changes its output: the tables are then
 * rebuilt from the log after the next start.
 */
export const PROJECTION_VERSION = 2;
