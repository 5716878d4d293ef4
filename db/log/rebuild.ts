import { parseOutboxItem } from '#domain/project/row-schemas.ts';

import { findProjectionVersion, replayLog, reportUnreadable, type Unreadable } from './apply.ts';
import type { UserDatabase } from '../schema/database.ts';
import { readRows } from '../schema/readable.ts';
import { PROJECTION_VERSION } from '../schema/schema.ts';
import { attempt } from '../schema/storage-errors.ts';
import { TABLES } from '../schema/tables.ts';
import { write } from '../schema/write.ts';

/** Rebuilds all projections from the log, in one transaction. */
export const rebuildProjections = (db: UserDatabase): Promise<void> =>
  write(db, db.logged, () => replayLog(db));

const rebuildFor = async (db: UserDatabase, unreadable: Unreadable): Promise<void> => {
  reportUnreadable(db, unreadable);
  const rebuilt = await attempt(db, () => rebuildProjections(db));
  if (!rebuilt.ok && !db.isEnded) {
    db.clientLog.write('error', 'STORAGE_REBUILD_FAILED', { ...rebuilt.error });
  }
};

/**
 * Rebuilds after an unreadable row, outside any transaction, once after a start: rows that a
 * rebuild does not restore are omitted until the next start. Never rejects.
 */
export const rebuildOnce = (db: UserDatabase, unreadable: Unreadable): Promise<void> =>
  (db.rebuilt ??= rebuildFor(db, unreadable));

/**
 * Rebuilds if an older version of the reducers made the tables, or if an outbox row is unreadable:
 * no query would return a row that lost its room or state, and its message would never be sent.
 */
export const rebuildIfNeeded = async (db: UserDatabase): Promise<void> => {
  if ((await findProjectionVersion(db)) < PROJECTION_VERSION) return rebuildProjections(db);
  const { reason } = readRows(parseOutboxItem, await db.outbox.toArray());
  if (reason !== undefined) await rebuildOnce(db, { table: TABLES.outbox, reason });
};
