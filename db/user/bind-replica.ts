import type { UserDatabase } from '../schema/database.ts';
import { hasRows } from '../schema/readable.ts';
import { META } from '../schema/tables.ts';
import { write } from '../schema/write.ts';
import { findEngine } from '../log/fence.ts';

/**
 * Records which engine's log this store replicates. If that changes, the coverage of the rooms is
 * cleared with its facts, so that the new log is read from its beginning. The stream position is
 * cleared too, because the clocks of two engines may differ. Messages and the outbox stay. True if
 * something was cleared.
 */
export const bindReplicaToEngine = async (db: UserDatabase, engine: string): Promise<boolean> => {
  const isBound = await write(db, [db.log, db.coverage, db.meta], async () => {
    if ((await findEngine(db)) === engine) return true;
    // A new store has no data of another engine.
    if ((await hasRows(db.log)) || (await hasRows(db.coverage))) return false;
    await db.putMeta({ key: META.engine, name: engine });
    return true;
  });
  return isBound ? false : (await import('./replace-engine.ts')).replaceEngine(db, engine);
};
