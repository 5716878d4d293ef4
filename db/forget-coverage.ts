import type { UserDatabase } from './database.ts';
import { mustHoldFence } from './fence.ts';
import { write } from './write.ts';

/**
 * Forgets what is known of every room together with the facts behind it, so that the log
 * still makes the very tables. Messages stay. Throws `FencedError` once another leads.
 */
export const forgetCoverage = (db: UserDatabase, fence: number): Promise<void> =>
  write(db, [db.log, db.coverage, db.meta], async () => {
    await mustHoldFence(db, fence);
    await db.log.where('key').startsWith('page|').delete();
    await db.coverage.clear();
  });
