import type { UserDatabase } from '../schema/database.ts';
import { META, type MetaRow } from '../schema/tables.ts';

/** The engine of a store without an entry: no other engine existed when it was created. */
const FIRST_ENGINE = 'embedded';

const toName = (row: MetaRow | undefined): string =>
  row?.key === META.engine ? row.name : FIRST_ENGINE;

/** The name of the engine whose log this store replicates. */
export const findEngine = async (db: UserDatabase): Promise<string> =>
  toName(await db.meta.get(META.engine));

/**
 * Throws if another tab has bound the store (`row`) to a different engine than this tab's, whose
 * entries no longer belong in it.
 */
export const mustFollowEngine = (db: UserDatabase, row: MetaRow | undefined): void => {
  if (db.engine === undefined || toName(row) === db.engine) return;
  throw new Error('another engine');
};
