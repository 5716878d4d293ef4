import { Dexie } from 'dexie';

import { type Envelope, toFactKey } from '#domain/envelope.ts';
import type { Fact } from '#domain/events.ts';

import type { UserDatabase } from '../schema/database.ts';
import { ROW_VERSION } from '../schema/tables.ts';

/** The outcome of adding rows to a table, by row index. */
interface Added {
  /** Refused by the key or a unique index. */
  readonly refused: ReadonlySet<number>;
  /** The keys of the added rows. */
  readonly keys: readonly unknown[];
}

/**
 * Adds rows. The unique indices refuse existing rows one by one, which needs no query and does not
 * abort the transaction.
 */
export const addRows = async (
  db: UserDatabase,
  table: 'log' | 'entries',
  rows: readonly object[],
): Promise<Added> => {
  // `bulkAdd` would report the refused rows or the new keys, but not both.
  const { failures, results } = await db[table].core.mutate({
    type: 'add',
    trans: Dexie.currentTransaction.idbtrans,
    values: [...rows],
  });
  const fault = Object.values(failures).find(({ name }) => name !== 'ConstraintError');
  if (fault !== undefined) throw fault;
  return { refused: new Set(Object.keys(failures).map(Number)), keys: results ?? [] };
};

/** Adds the facts whose key is not in the log yet, and returns their envelopes. */
export const addFacts = async (
  db: UserDatabase,
  facts: readonly Fact[],
): Promise<readonly Envelope[]> => {
  if (facts.length === 0) return [];
  const at = db.clock.now();
  const rows = facts.map((fact) => ({ key: toFactKey(fact), at, fact, v: ROW_VERSION }));
  const { refused, keys } = await addRows(db, 'log', rows);
  return rows.flatMap(({ key, fact }, i): readonly Envelope[] => {
    if (refused.has(i)) return [];
    const seq = keys[i];
    if (typeof seq !== 'number') throw new Error('No position');
    return [{ seq, key, at, fact }];
  });
};
