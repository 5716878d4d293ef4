import type { UserDatabase } from '../schema/database.ts';
import { hasRows } from '../schema/readable.ts';
import { META } from '../schema/tables.ts';
import { write } from '../schema/write.ts';
import { findEngine, findLeader, saveLeader } from '../log/fence.ts';
import { clearCoverage } from '../log/save-coverage.ts';

/** Clears the stream position: the next stream follows another log. */
const forgetCursor = async (db: UserDatabase): Promise<boolean> => {
  const last = await findLeader(db);
  if (last?.cursor === undefined) return false;
  const { cursor: _cursor, since: _since, until: _until, ...leader } = last;
  await saveLeader(db, leader);
  return true;
};

/** The rest of `bindReplicaToEngine`, for a store that has data of another engine. */
export const replaceEngine = (db: UserDatabase, engine: string): Promise<boolean> =>
  write(db, [db.log, db.coverage, db.meta], async () => {
    // Another tab may have done so meanwhile.
    if ((await findEngine(db)) === engine) return false;
    const hadCoverage = await hasRows(db.coverage);
    await clearCoverage(db);
    const hadCursor = await forgetCursor(db);
    await db.meta.bulkDelete([META.subscribed, META.own, META.staff]);
    await db.putMeta({ key: META.engine, name: engine });
    return hadCoverage || hadCursor;
  });
