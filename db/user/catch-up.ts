import { listMarkings } from '../facts/list-unread-marks.ts';
import type { UserDatabase } from '../schema/database.ts';
import { openMarkings, type UnreadModel } from '../read/unread-model.ts';

/**
 * Resolves once the counts include every marking that was stored before the call, whether or not
 * that marking leaves anything unread. Rejects if they cannot be read.
 */
export const catchUp = async (db: UserDatabase, model: UnreadModel): Promise<void> => {
  const known = openMarkings(db);
  let before, listed;
  // Markings that another commit adds meanwhile are not lost.
  do {
    before = known.get();
    listed = await listMarkings(db);
  } while (known.get() !== before);
  await model.follow(listed);
};
