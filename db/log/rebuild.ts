import { applyEnvelopes } from './apply.ts';
import type { UserDatabase } from '../schema/database.ts';
import { REBUILD_CHUNK_SIZE } from '../schema/limits.ts';
import { toKnownEnvelopes } from './log-facts.ts';
import { PROJECTION_VERSION } from '../schema/schema.ts';
import { META, ROW_VERSION } from '../schema/tables.ts';
import { write } from '../schema/write.ts';

const replayLog = async (db: UserDatabase): Promise<void> => {
  let after = 0;
  for (;;) {
    const rows = await db.log.where('seq').above(after).limit(REBUILD_CHUNK_SIZE).toArray();
    await applyEnvelopes(db, toKnownEnvelopes(rows));
    const last = rows.at(-1);
    if (last === undefined || rows.length < REBUILD_CHUNK_SIZE) return;
    after = last.seq;
  }
};

/**
 * Drops the projections and makes them again from the log, in chunks but in one
 * transaction: no reader and no other tab ever meets half a table.
 */
export const rebuildProjections = (db: UserDatabase): Promise<void> =>
  write(db, db.logged, async () => {
    const { messages, outbox, coverage, activity } = db;
    await Promise.all([messages, outbox, coverage, activity].map((table) => table.clear()));
    await replayLog(db);
    await db.meta.put({ key: META.projection, version: PROJECTION_VERSION, v: ROW_VERSION });
  });

/** Rebuilds when the tables were made by other reducers than today's. */
export const rebuildIfOutdated = async (db: UserDatabase): Promise<void> => {
  const row = await db.meta.get(META.projection);
  const version = row?.key === META.projection ? row.version : 0;
  if (version < PROJECTION_VERSION) await rebuildProjections(db);
};
