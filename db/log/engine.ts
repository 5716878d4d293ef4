import type { UserDatabase } from '../schema/database.ts';
import { META } from '../schema/tables.ts';

/** The engine of a store without an entry: no other engine existed then. */
const FIRST_ENGINE = 'embedded';

/** The name of the engine whose log this store replicates. */
export const findEngine = async (db: UserDatabase): Promise<string> => {
  const row = await db.meta.get(META.engine);
  return row?.key === META.engine ? row.name : FIRST_ENGINE;
};

/**
 * Throws if another tab has bound the store to another engine than the one of this tab, whose
 * entries no longer belong in it. Aborts the transaction it runs in.
 */
export const mustKnowEngine = async (db: UserDatabase): Promise<void> => {
  if (db.engine === undefined || (await findEngine(db)) === db.engine) return;
  throw new Error('the store follows another engine');
};
