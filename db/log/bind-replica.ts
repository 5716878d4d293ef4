import type { UserDatabase } from '../schema/database.ts';
import { findEngine } from './engine.ts';
import { findLeader, saveLeader } from './fence.ts';
import { clearCoverage } from './save-coverage.ts';
import { META, ROW_VERSION } from '../schema/tables.ts';
import { write } from '../schema/write.ts';

/** Clears the stream position: the next stream follows another log. */
const forgetCursor = async (db: UserDatabase): Promise<boolean> => {
  const last = await findLeader(db);
  if (last?.cursor === undefined) return false;
  const { cursor: _cursor, since: _since, until: _until, ...leader } = last;
  await saveLeader(db, leader);
  return true;
};

/**
 * Records which engine's log this store replicates. If it was another engine's, the coverage of
 * the rooms is cleared with its facts, so that the new log is read from its beginning, and the
 * stream position, because the clocks of two engines may differ. Messages and the outbox stay.
 * True if something was cleared.
 */
export const bindReplicaToEngine = (db: UserDatabase, engine: string): Promise<boolean> =>
  write(db, [db.log, db.coverage, db.meta], async () => {
    if ((await findEngine(db)) === engine) return false;
    const rooms = await db.coverage.count();
    await clearCoverage(db);
    const hadCursor = await forgetCursor(db);
    await db.meta.bulkDelete([META.subscribed, META.own, META.staff]);
    await db.meta.put({ key: META.engine, name: engine, v: ROW_VERSION });
    return rooms > 0 || hadCursor;
  });
