import { toKindPrefix } from '#domain/envelope.ts';

import type { UserDatabase } from '../schema/database.ts';
import { mustHoldFence } from './fence.ts';
import { write } from '../schema/write.ts';

/**
 * Forgets what is known of every room together with the facts behind it, so that the log
 * still makes the very tables; messages stay. Runs in a transaction over `log` and `coverage`.
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
