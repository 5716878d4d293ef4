import { listMarkings } from '../facts/list-unread-marks.ts';
import type { UserDatabase } from '../schema/database.ts';
import { openMarkings, type UnreadModel } from '../read/unread-model.ts';

/**
 * Resolves once the counts include every marking that was stored before the call, whether or not
 * anything is unread by it. Rejects if they cannot be read.
 */
export const catchUp = async (db: UserDatabase, model: UnreadModel): Promise<void> => {
  const known = openMarkings(db);
  let before, listed;
  // What another commit added meanwhile is not lost.
  do {
    before = known.get();
    listed = await listMarkings(db);
  } while (known.get() !== before);
  await model.follow(listed);
};
