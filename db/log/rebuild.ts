import { parseOutboxItem } from '#domain/project/row-schemas.ts';

import { replayLog, reportUnreadable, type Unreadable } from './apply.ts';
import type { UserDatabase } from '../schema/database.ts';
import { readRows } from '../schema/readable.ts';
import { PROJECTION_VERSION } from '../schema/schema.ts';
import { attempt } from '../schema/storage-errors.ts';
import { META, TABLES } from '../schema/tables.ts';
import { write } from '../schema/write.ts';

/** Makes all projections again from the log, in one transaction. */
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
 * Rebuilds for a row that cannot be read, outside any transaction. Once after a start: what a
 * rebuild does not cure is left out until the next one. Never rejects.
 */
export const rebuildOnce = (db: UserDatabase, unreadable: Unreadable): Promise<void> =>
  (db.rebuilt ??= rebuildFor(db, unreadable));

/**
 * Rebuilds where other reducers than today's made the tables, or an outbox row cannot be read: one
 * that lost its room or state would be met by no query, and its message never go out.
 */
export const rebuildIfNeeded = async (db: UserDatabase): Promise<void> => {
  const row = await db.meta.get(META.projection);
  const version = row?.key === META.projection ? row.version : 0;
  if (version < PROJECTION_VERSION) return rebuildProjections(db);
  const { reason } = readRows(parseOutboxItem, await db.outbox.toArray());
  if (reason !== undefined) await rebuildOnce(db, { table: TABLES.outbox, reason });
};
