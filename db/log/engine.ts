import type { UserDatabase } from '../schema/database.ts';
import { META } from '../schema/tables.ts';

/** Whose log a store without a word on it knows: there was no other engine. */
const FIRST_ENGINE = 'embedded';

/** The name of the engine whose log this store replicates. */
export const findEngine = async (db: UserDatabase): Promise<string> => {
  const row = await db.meta.get(META.engine);
  return row?.key === META.engine ? row.name : FIRST_ENGINE;
};

/**
 * Throws where another tab has turned the store to another engine than the one this tab
 * talks to: what that one says is no part of it. Aborts the transaction it runs in.
 */
export const mustKnowEngine = async (db: UserDatabase): Promise<void> => {
  if (db.engine === undefined || (await findEngine(db)) === db.engine) return;
  throw new Error('the store follows another engine');
};
