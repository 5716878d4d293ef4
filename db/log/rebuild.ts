import { parseOutboxItem } from '#domain/project/row-schemas.ts';

import { isUpToDate, noteProjectionVersion, reportUnreadable, type Unreadable } from './apply.ts';
import type { UserDatabase } from '../schema/database.ts';
import { readRows } from '../schema/readable.ts';
import { attempt } from '../schema/storage-errors.ts';
import { TABLES } from '../schema/tables.ts';
import { write } from '../schema/write.ts';

/** Rarely needed. */
const importReplay = () => import('./replay.ts');

/** Rebuilds all projections from the log, in one transaction. */
export const rebuildProjections = async (db: UserDatabase): Promise<void> => {
  const { replayLog } = await importReplay();
  await write(db, db.logged, () => replayLog(db));
};

/** The result of a step of a rebuild; undefined if it failed, which is logged. Never rejects. */
const reportFailure = async <T>(
  db: UserDatabase,
  step: () => Promise<T>,
): Promise<T | undefined> => {
  const done = await attempt(db, step);
  if (done.ok) return done.value;
  if (!db.isEnded) db.clientLog.write('error', 'STORAGE_REBUILD_FAILED', { ...done.error });
  return undefined;
};

/** The code of a rebuild; undefined if it cannot be loaded, which is logged. */
export const loadReplay = (db: UserDatabase) => reportFailure(db, importReplay);

/** Rebuilds at once, whatever another rebuild does; a failure is logged. Never rejects. */
export const rebuildNow = (db: UserDatabase): Promise<void> =>
  reportFailure(db, () => rebuildProjections(db));

const rebuildFor = (db: UserDatabase, unreadable: Unreadable): Promise<void> => {
  reportUnreadable(db, unreadable);
  return rebuildNow(db);
};

/**
 * Rebuilds after an unreadable row, outside any transaction, once after a start: rows that a
 * rebuild does not restore are omitted until the next start. Never rejects.
 */
export const rebuildOnce = (db: UserDatabase, unreadable: Unreadable): Promise<void> =>
  (db.rebuilt ??= rebuildFor(db, unreadable));

const rebuildInBackground = async (db: UserDatabase): Promise<void> => {
  await reportFailure(db, async () => (await importReplay()).rebuildRooms(db));
  db.rebuilt = undefined;
};

/**
 * Prepares the tables at a start. If an older version of the reducers made them, they are rebuilt in
 * the background: a room shows its old rows until then, and appends work on them. They are also
 * rebuilt, before anything else, if an outbox row is unreadable: no query would return a row that
 * lost its room or state, and its message would never be sent.
 */
export const rebuildIfNeeded = async (db: UserDatabase): Promise<void> => {
  const { reason } = readRows(parseOutboxItem, await db.outbox.toArray());
  if (reason !== undefined) await rebuildOnce(db, { table: TABLES.outbox, reason });
  if (await isUpToDate(db)) return;
  if ((await db.log.limit(1).count()) === 0) await noteProjectionVersion(db);
  else db.rebuilt = rebuildInBackground(db);
};
