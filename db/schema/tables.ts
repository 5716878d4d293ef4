import type { EntityTable, Table } from 'dexie';

import type { OwnKeys } from '#domain/ports/device.ts';
import type { Fact } from '#domain/events.ts';
import type {
  Coverage,
  LeaderRow,
  MessageRow,
  OutboxItem,
  RoomActivity,
} from '#domain/project/rows.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { Sealed } from '#domain/ports/sealing.ts';

/**
 * Version of the rows that this program writes, in every row. A reader skips rows of a higher
 * version: an old page may still be open beside a newer one.
 */
export const ROW_VERSION = 2;

/** A row as stored. */
export type Stored<T> = T & { readonly v: number };

/** Names of all tables, with their keys. */
export const TABLES = {
  /** Facts in order of arrival; key `seq`. */
  log: 'log',
  /** Messages of the rooms' logs, each once: EntryRow; key `k`, see db/facts/entry-row.ts. */
  entries: 'entries',
  /** MessageRow; key `key`. Used by earlier versions; moved to `entries` in the background. */
  messages: 'messages',
  /** OutboxItem; key `id`. */
  outbox: 'outbox',
  /** Coverage; key `room`, see `toCoverageKey`. */
  coverage: 'coverage',
  /** RoomActivity; key `room`. */
  activity: 'activity',
  /** Fetched lists with their time of fetching; key `key`, see DOCUMENTS. */
  documents: 'documents',
  /** Single rows about this store itself; key `key`, see META. */
  meta: 'meta',
  /** Drafts; key `tab`. */
  drafts: 'drafts',
  /** Used by earlier versions, whose pages may still be open; key `id`. */
  quarantine: 'quarantine',
  /** Device database: the last verified session; key `key`, see SESSIONS. */
  sessions: 'sessions',
  /** Device database: the number of sign-outs, and one not yet sent; see SIGN_OUTS. */
  signOuts: 'signOuts',
  /** Device database: users whose database is to be deleted, PendingPurge; key `uid`. */
  departures: 'departures',
  /** Device database: unsent messages that an earlier version kept unencrypted; key `uid`. */
  kept: 'kept',
  /** Device database: encrypted unsent messages of users who signed out; key `id`. */
  sealed: 'sealed',
} as const;

/** Keys of the documents table. */
export const DOCUMENTS = { teams: 'teams', producers: 'producers' } as const;
/** Keys of the meta table. */
export const META = {
  leader: 'leader',
  projection: 'projection',
  rebuild: 'rebuild',
  sealed: 'sealed',
  engine: 'engine',
  visited: 'visited',
  layout: 'layout',
  inbox: 'inbox',
  keys: 'keys',
  subscribed: 'subscribed',
  descriptions: 'descriptions',
  notifications: 'notifications',
  dashboard: 'dashboard',
  own: 'own',
  staff: 'staff',
} as const;
/** Key of a row that is written only for its size, in the meta and the sessions table. */
export const SCRATCH = 'scratch';
/** The data of this device, regardless of the signed-in user. */
export const DEVICE_DATABASE_NAME = 'replay-desk-device';
/** Keys of the sessions table. */
export const SESSIONS = { last: 'last' } as const;

/** Keys of the signOuts table. */
export const SIGN_OUTS = { count: 'turn', pending: 'owed' } as const;

/** A row of the log; the database assigns `seq`. */
export interface LogRow {
  readonly seq: number;
  readonly key: string;
  /** ms since the epoch */
  readonly at: number;
  readonly fact: Fact;
}

/** A fetched list; `fetchedAt` in ms since the epoch. */
export interface DocumentRow {
  readonly key: (typeof DOCUMENTS)[keyof typeof DOCUMENTS];
  readonly value: unknown;
  readonly fetchedAt: number;
}

/**
 * The leader's last heartbeat, the version of the projections, the user's choices on this
 * device, and the mark that the store accepts no more writes because it is about to be deleted
 * (`at`: ms since the epoch).
 */
export type MetaRow =
  | ({ readonly key: typeof META.leader } & LeaderRow)
  | { readonly key: typeof META.sealed; readonly at: number }
  /** The engine whose log is replicated here. */
  | { readonly key: typeof META.engine; readonly name: string }
  /** Rooms opened on this device, newest first. */
  | { readonly key: typeof META.visited; readonly rooms: readonly RoomKey[] }
  /** The rooms of the last stream, if its engine names them. */
  | { readonly key: typeof META.subscribed; readonly rooms: readonly RoomKey[] }
  | { readonly key: typeof META.layout; readonly clientsWide: boolean }
  /** How this device filters clients, and its order before that was a mark; to be parsed. */
  | { readonly key: typeof META.inbox; readonly filter: unknown; readonly order: unknown }
  /** The descriptions of rooms that the server last sent; to be parsed. */
  | { readonly key: typeof META.descriptions; readonly rooms: unknown }
  /** The notification settings of this device; to be parsed. */
  | { readonly key: typeof META.notifications; readonly choice: unknown }
  /** The dashboard settings of this device; to be parsed. */
  | { readonly key: typeof META.dashboard; readonly choice: unknown }
  /** The last read state of a log of marks; to be parsed. */
  | { readonly key: typeof META.own | typeof META.staff; readonly state: unknown }
  /** The user's keys, which are deleted with the data. */
  | ({ readonly key: typeof META.keys } & OwnKeys)
  | { readonly key: typeof META.projection; readonly version: number }
  /**
   * The progress of a rebuild for the projections of `version`: rooms are rebuilt in ascending
   * order.
   */
  | { readonly key: typeof META.rebuild; readonly version: number; readonly finished: string };

/** Drafts of one tab, by room; `at` is when they were stored, ms since the epoch. */
export interface DraftsRow {
  readonly tab: string;
  readonly texts: readonly (readonly [room: RoomKey, text: string])[];
  readonly at: number;
}

export interface SessionRow {
  readonly key: (typeof SESSIONS)[keyof typeof SESSIONS];
  readonly session: unknown;
}

/**
 * `turn` is the count, see `SignOuts`. A row `pending` exists until the server was notified of the
 * last sign-out.
 */
export type SignOutRow =
  | { readonly key: typeof SIGN_OUTS.count; readonly turn: number }
  | { readonly key: typeof SIGN_OUTS.pending; readonly at: number };

export interface PendingPurgeRow {
  readonly uid: string;
  readonly discarded: readonly string[];
}

/** `items` are OutboxItems, to be parsed. */
export interface KeptRow {
  readonly uid: string;
  readonly items: readonly unknown[];
}

/** The unsent messages of one sign-out; `Sealed` contains a JSON list of OutboxItems. */
export interface SealedRow extends Sealed {
  readonly id: number;
  readonly uid: string;
}

export type LogTable = EntityTable<Stored<LogRow>, 'seq'>;
/** A message as stored; its fields are explained in db/facts/entry-row.ts. */
export interface EntryRow {
  readonly k: string;
  readonly f?: string;
  readonly p?: string;
  readonly n?: string;
  readonly a?: string;
  readonly t?: string;
  readonly u?: string;
  readonly v: number;
}

/**
 * The key of a room's coverage. Earlier versions use the room alone, and cover only the messages
 * that they stored; their pages skip this key and read the room's history again.
 */
export const toCoverageKey = (room: RoomKey): string => `+${room}`;

/** A room's coverage as stored. */
export type CoverageRow = Omit<Coverage, 'room'> & { readonly room: string };

export type EntryTable = Table<EntryRow, string>;
export type MessageTable = Table<Stored<MessageRow>, string>;
export type OutboxTable = Table<Stored<OutboxItem>, string>;
export type CoverageTable = Table<Stored<CoverageRow>, string>;
export type ActivityTable = Table<Stored<RoomActivity>, RoomActivity['room']>;
export type DocumentTable = Table<Stored<DocumentRow>, string>;
export type MetaTable = Table<Stored<MetaRow>, string>;
export type DraftTable = Table<Stored<DraftsRow>, string>;
export type SessionTable = Table<Stored<SessionRow>, string>;
export type SignOutTable = Table<Stored<SignOutRow>, string>;
export type PendingPurgeTable = Table<Stored<PendingPurgeRow>, string>;
export type KeptTable = Table<Stored<KeptRow>, string>;
export type SealedTable = EntityTable<Stored<SealedRow>, 'id'>;
