import { type Envelope, toMessagePrefix } from '#domain/envelope.ts';
import type { Fact } from '#domain/events.ts';
import { toReceivedRow } from '#domain/project/received.ts';
import { parseMessageKey, toMessageKey } from '#domain/project/rows.ts';
import { TIMETOKEN_MAX } from '#domain/timetoken.ts';
import { parseEnvelope } from '#domain/upcast.ts';

import type { UserDatabase } from '../schema/database.ts';

/** The facts of log rows that this version supports; others stay in the log and are skipped. */
export const toKnownEnvelopes = (rows: readonly unknown[]): readonly Envelope[] =>
  rows.flatMap((row) => {
    const parsed = parseEnvelope(row);
    return parsed.kind === 'known' ? [parsed.envelope] : [];
  });

export const toMessageRowKey = (fact: Fact): string | undefined => {
  if ('publisher' in fact) return toReceivedRow(fact).key;
  return 'uid' in fact ? toMessageKey(fact.room, fact.uid, fact.id, TIMETOKEN_MAX) : undefined;
};

/** Removes prefixes that another one covers: Dexie's search skips hits of nested prefixes. */
const toDisjoint = (prefixes: readonly string[]): string[] => {
  const kept: string[] = [];
  for (const prefix of prefixes.toSorted()) {
    const last = kept.at(-1);
    if (last === undefined || !prefix.startsWith(last)) kept.push(prefix);
  }
  return kept;
};

/** The facts behind message rows that exist only on this device. */
export const findLocalFacts = async (
  db: UserDatabase,
  keys: readonly string[],
): Promise<readonly Envelope[]> => {
  const prefixes = keys.flatMap((key) => {
    const parts = parseMessageKey(key);
    if (parts === undefined || 'timetoken' in parts) return [];
    const { id } = parts;
    return [
      toMessagePrefix('queued', id),
      toMessagePrefix('attempted', id),
      `${toMessagePrefix('published', id)}|`,
    ];
  });
  const stored = await db.log.where('key').startsWithAnyOf(toDisjoint(prefixes)).toArray();
  const wanted = new Set<string | undefined>(keys);
  return toKnownEnvelopes(stored).filter(({ fact }) => wanted.has(toMessageRowKey(fact)));
};
