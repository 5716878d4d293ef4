import { type Envelope, toMessagePrefix, toRoomPrefix } from '#domain/envelope.ts';
import type { Fact } from '#domain/events.ts';
import { toActivityRoom } from '#domain/project/activity.ts';
import { toReceivedRow } from '#domain/project/received.ts';
import { parseMessageKey, toMessageKey } from '#domain/project/rows.ts';
import { TIMETOKEN_MAX } from '#domain/timetoken.ts';
import { parseEnvelope } from '#domain/upcast.ts';

import type { UserDatabase } from '../schema/database.ts';
import type { ProjectedTable } from './quarantine.ts';
import { TABLES } from '../schema/tables.ts';

/** The facts of log rows this version knows; others stay in the log and are passed over. */
export const toKnownEnvelopes = (rows: readonly unknown[]): readonly Envelope[] =>
  rows.flatMap((row) => {
    const parsed = parseEnvelope(row);
    return parsed.kind === 'known' ? [parsed.envelope] : [];
  });

/** How the keys of the facts begin that only this device has of a message. */
const toLocalPrefixes = (id: string): readonly string[] => [
  toMessagePrefix('queued', id),
  toMessagePrefix('attempted', id),
  `${toMessagePrefix('published', id)}|`,
];

const toMessageFactPrefixes = (key: string): readonly string[] => {
  const parts = parseMessageKey(key);
  if (parts === undefined) return [];
  if ('timetoken' in parts) return [toRoomPrefix('received', parts.room) + parts.timetoken];
  return [...toLocalPrefixes(parts.id), toRoomPrefix('received', parts.room)];
};

const LOCAL_KINDS = ['queued', 'attempted', 'published', 'failed', 'retried', 'discarded'] as const;

/** How the keys of the facts behind a row begin (`toFactKey`); others may begin so too. */
const PREFIXES: Readonly<Record<ProjectedTable, (key: string) => readonly string[]>> = {
  [TABLES.messages]: toMessageFactPrefixes,
  [TABLES.outbox]: (id) => LOCAL_KINDS.map((kind) => toMessagePrefix(kind, id)),
  [TABLES.coverage]: (room) => [toRoomPrefix('page', room)],
  [TABLES.activity]: (room) => [
    toRoomPrefix('received', room),
    toRoomPrefix('read', room),
    'began',
  ],
};

/** The key of the message row that a fact helps to make. */
export const toMessageRowKey = (fact: Fact): string | undefined => {
  if ('publisher' in fact) return toReceivedRow(fact).key;
  return 'uid' in fact ? toMessageKey(fact.room, fact.uid, fact.id, TIMETOKEN_MAX) : undefined;
};

/** Which row of a table a fact helps to make. */
const ROW_KEYS: Readonly<Record<ProjectedTable, (fact: Fact) => string | undefined>> = {
  [TABLES.messages]: toMessageRowKey,
  [TABLES.outbox]: (fact) => ('id' in fact ? fact.id : undefined),
  [TABLES.coverage]: (fact) => (fact.type === 'v1.HistoryPageLoaded' ? fact.room : undefined),
  [TABLES.activity]: toActivityRoom,
};

/** Drops those another one begins: Dexie's search passes over hits of nested prefixes. */
const toDisjoint = (prefixes: readonly string[]): string[] => {
  const kept: string[] = [];
  for (const prefix of prefixes.toSorted()) {
    const last = kept.at(-1);
    if (last === undefined || !prefix.startsWith(last)) kept.push(prefix);
  }
  return kept;
};

const findByPrefix = async (
  db: UserDatabase,
  table: ProjectedTable,
  keys: readonly string[],
  prefixes: readonly string[],
): Promise<readonly Envelope[]> => {
  const stored = await db.log.where('key').startsWithAnyOf(toDisjoint(prefixes)).toArray();
  const wanted = new Set<string | undefined>(keys);
  return toKnownEnvelopes(stored)
    .filter(({ fact }) => wanted.has(ROW_KEYS[table](fact)))
    .toSorted((a, b) => a.seq - b.seq);
};

/**
 * The facts that rows of a table were made of, in the order of the log. Rare and not quick:
 * a message with an id is looked for in its room's whole log.
 */
export const findFactsBehind = (
  db: UserDatabase,
  table: ProjectedTable,
  keys: readonly string[],
): Promise<readonly Envelope[]> => findByPrefix(db, table, keys, keys.flatMap(PREFIXES[table]));

/** Of the facts that message rows were made of those that only this device has. */
export const findLocalFacts = (
  db: UserDatabase,
  keys: readonly string[],
): Promise<readonly Envelope[]> => {
  const prefixes = keys.flatMap((key) => {
    const parts = parseMessageKey(key);
    return parts !== undefined && 'id' in parts ? toLocalPrefixes(parts.id) : [];
  });
  return findByPrefix(db, TABLES.messages, keys, prefixes);
};
