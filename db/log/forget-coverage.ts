import { toKindPrefix } from '#domain/envelope.ts';

import type { UserDatabase } from '../schema/database.ts';
import { mustHoldFence } from './fence.ts';
import { write } from '../schema/write.ts';

/**
 * Clears the coverage of every room together with its facts, so that a rebuild from the log
 * yields the same tables; messages stay. Runs in a transaction over `log` and `coverage`.
 */
export const clearCoverage = async (db: UserDatabase): Promise<void> => {
  await db.log.where('key').startsWith(toKindPrefix('page')).delete();
  await db.coverage.clear();
};

/** `clearCoverage` for the leading tab; throws `FencedError` once another leads. */
export const forgetCoverage = (db: UserDatabase, fence: number): Promise<void> =>
  write(db, [db.log, db.coverage, db.meta], async () => {
    await mustHoldFence(db, fence);
    await clearCoverage(db);
  });
