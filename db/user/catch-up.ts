import { listUnreadMarks } from '../facts/list-unread-marks.ts';
import type { UserDatabase } from '../schema/database.ts';
import { openUnreadMarks, type UnreadModel } from '../read/unread-model.ts';

/**
 * Resolves once the counts include every unread mark that was stored before the call, whether or
 * not that mark leaves anything unread. Rejects if they cannot be read.
 */
export const catchUp = async (db: UserDatabase, model: UnreadModel): Promise<void> => {
  const known = openUnreadMarks(db);
  let before, listed;
  // Unread marks that another commit adds meanwhile are not lost.
  do {
    before = known.get();
    listed = await listUnreadMarks(db);
  } while (known.get() !== before);
  await model.follow(listed);
};
