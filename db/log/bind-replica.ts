import type { UserDatabase } from '../schema/database.ts';
import { findEngine } from './engine.ts';
import { findLeader, saveLeader } from './fence.ts';
import { clearCoverage } from './forget-coverage.ts';
import { META, ROW_VERSION } from '../schema/tables.ts';
import { write } from '../schema/write.ts';

/** Forgets where the last stream stood: the next one follows another log. */
const forgetCursor = async (db: UserDatabase): Promise<boolean> => {
  const last = await findLeader(db);
  if (last?.cursor === undefined) return false;
  const { cursor: _cursor, ...leader } = last;
  await saveLeader(db, leader);
  return true;
};

/**
 * Notes which engine's log this store keeps a replica of. Where it was another one's, what is
 * known of the rooms is forgotten with the facts behind it, so that the new log is read from
 * its beginning, and where the stream stood, since the clocks of two engines may differ;
 * messages and what is unsent stay. True where there was something to forget.
 */
export const bindReplicaToEngine = (db: UserDatabase, engine: string): Promise<boolean> =>
  write(db, [db.log, db.coverage, db.meta], async () => {
    if ((await findEngine(db)) === engine) return false;
    const rooms = await db.coverage.count();
    await clearCoverage(db);
    const hadCursor = await forgetCursor(db);
    await db.meta.put({ key: META.engine, name: engine, v: ROW_VERSION });
    return rooms > 0 || hadCursor;
  });
