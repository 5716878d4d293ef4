import { toMessagePrefix } from '#domain/envelope.ts';

import { afterAll } from '../facts/entry-row.ts';
import { findEntries, toFound } from '../facts/find-entries.ts';
import { toKnownEnvelopes, toMessageRowKey } from '../facts/log-facts.ts';
import type { UserDatabase } from '../schema/database.ts';
import { ACCEPTED_KEPT, PRUNE_CHUNK_SIZE } from '../schema/limits.ts';
import type { EntryRow } from '../schema/tables.ts';
import { write } from '../schema/write.ts';
import { mustHoldFence } from './fence.ts';

const ACCEPTED = toMessagePrefix('queued', '');

/**
 * The key of the oldest of the `ACCEPTED_KEPT` newest accepted messages; undefined if there are
 * fewer.
 */
const findNewest = async ({ log }: UserDatabase): Promise<string | undefined> => {
  const newest = log.where('key').startsWith(ACCEPTED).reverse();
  const [key]: readonly unknown[] = await newest
    .offset(ACCEPTED_KEPT - 1)
    .limit(1)
    .keys();
  return typeof key === 'string' ? key : undefined;
};

/** Whether the engine has returned the message: its entry then contains all data. */
const isReceived = (stored: EntryRow | undefined): boolean => {
  const found = stored && toFound(stored);
  return found?.kind === 'entry' && !found.entry.isEcholess;
};

/**
 * The facts of a kind about the messages with ids from `first` to `last`, possibly with facts about
 * others.
 */
const listFacts = (
  db: UserDatabase,
  kind: 'attempted' | 'published',
  first: string,
  last: string,
) => {
  const end = afterAll(`${toMessagePrefix(kind, last)}|`);
  return db.log.where('key').between(toMessagePrefix(kind, first), end).toArray();
};

const toEnvelopes = (stored: readonly unknown[]) =>
  toKnownEnvelopes(stored).flatMap(({ seq, fact }) => {
    const key = toMessageRowKey(fact);
    return 'uid' in fact && key !== undefined ? [{ seq, key, id: fact.id }] : [];
  });

/** Prunes in the caller's transaction; the value is the key after which the next step continues. */
const pruneSome = async (db: UserDatabase, after: string): Promise<string | undefined> => {
  const newest = await findNewest(db);
  if (newest === undefined) return undefined;
  const range = db.log.where('key').between(after, newest, false, false);
  const stored = await range.limit(PRUNE_CHUNK_SIZE).toArray();
  const accepted = toEnvelopes(stored);
  const ids = accepted.map(({ id }) => id);
  const [first, last] = [ids[0], ids.at(-1)];
  if (first !== undefined && last !== undefined) {
    const keys = accepted.map(({ key }) => key);
    const [entries, items, attempted, published] = await Promise.all([
      findEntries(db, keys),
      db.outbox.bulkGet(ids),
      listFacts(db, 'attempted', first, last),
      listFacts(db, 'published', first, last),
    ]);
    const returned = keys.filter((_, i) => isReceived(entries[i]) && items[i] === undefined);
    const wanted = new Set(returned);
    const facts = [...accepted, ...toEnvelopes([...attempted, ...published])];
    await db.log.bulkDelete(facts.filter(({ key }) => wanted.has(key)).map(({ seq }) => seq));
  }
  return stored.length < PRUNE_CHUNK_SIZE ? undefined : stored.at(-1)?.key;
};

/**
 * Prunes the facts about the user's messages that the engine has returned, so that their texts are
 * stored once: their acceptance, attempts and acknowledgements no longer matter. Uses short
 * transactions; a rebuild from the log still yields the same tables.
 */
export const pruneOwn = async (db: UserDatabase, fence: number): Promise<void> => {
  for (let after: string | undefined = ACCEPTED; after !== undefined;) {
    const start: string = after;
    after = await write(db, [db.log, db.entries, db.outbox, db.meta], async () => {
      await mustHoldFence(db, fence);
      return pruneSome(db, start);
    });
  }
};
