import { type Envelope, toFactKey } from '#domain/envelope.ts';
import type { AppError } from '#domain/errors.ts';
import type { Fact } from '#domain/events.ts';
import type { Result } from '#domain/result.ts';

import { applyEnvelopes } from './apply.ts';
import type { UserDatabase } from '../schema/database.ts';
import { mustKnowEngine } from './engine.ts';
import { mustHoldFence } from './fence.ts';
import { assertOpen } from './seal.ts';
import { attempt } from '../schema/storage-errors.ts';
import { ROW_VERSION } from '../schema/tables.ts';
import { write } from '../schema/write.ts';

interface KeyedFact {
  readonly key: string;
  readonly fact: Fact;
}

/** The facts whose key is not in the log yet, each key once. */
const findFresh = async (
  db: UserDatabase,
  facts: readonly Fact[],
): Promise<readonly KeyedFact[]> => {
  const byKey = new Map<string, Fact>();
  for (const fact of facts) {
    const key = toFactKey(fact);
    if (!byKey.has(key)) byKey.set(key, fact);
  }
  const keyed = Array.from(byKey, ([key, fact]) => ({ key, fact }));
  const known = await Promise.all(
    keyed.map(({ key }) => db.log.where('key').equals(key).primaryKeys()),
  );
  return keyed.filter((_, i) => known[i]?.length === 0);
};

/** Facts from an engine's log, as opposed to actions on this device. */
const isFromLog = ({ type }: Fact): boolean =>
  type === 'v1.MessageReceived' ||
  type === 'v1.UnreadableReceived' ||
  type === 'v1.HistoryPageLoaded';

const appendInTransaction = async (
  db: UserDatabase,
  facts: readonly Fact[],
  fence: number | undefined,
): Promise<number> => {
  await assertOpen(db);
  if (fence !== undefined) await mustHoldFence(db, fence);
  else if (facts.some(isFromLog)) await mustKnowEngine(db);
  const fresh = await findFresh(db, facts);
  if (fresh.length === 0) return 0;
  const at = db.clock.now();
  const rows = fresh.map(({ key, fact }) => ({ key, at, fact, v: ROW_VERSION }));
  const seqs = await db.log.bulkAdd(rows, { allKeys: true });
  const envelopes: Envelope[] = fresh.map(({ key, fact }, i) => {
    const seq = seqs[i];
    if (seq === undefined) throw new Error('The log gave no position to a fact.');
    return { seq, key, at, fact };
  });
  await applyEnvelopes(db, envelopes);
  return fresh.length;
};

/**
 * The only way to append: adds the new facts to the log and projects them, in one durable
 * transaction. The value is the number of new facts. Errors: `fenced`, `quota`, `storage`;
 * nothing is written then.
 */
export const appendFacts = (
  db: UserDatabase,
  facts: readonly Fact[],
  fence?: number,
): Promise<Result<number, AppError>> =>
  attempt(db, () => write(db, db.logged, () => appendInTransaction(db, facts, fence)));
