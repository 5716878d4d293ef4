import { OLD_PREFIXES } from '#domain/envelope.ts';
import { parseOutboxItem } from '#domain/project/row-schemas.ts';

import { isUpToDate, recordProjectionVersion } from '../schema/projection-version.ts';
import type { UserDatabase } from '../schema/database.ts';
import { hasRows, readRows, reportUnreadable, type Unreadable } from '../schema/readable.ts';
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

/** Rebuilds at once, even if another rebuild is running; a failure is logged. Never rejects. */
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

/** Checks whether any data is stored in the format of earlier versions. */
const checkOld = async (db: UserDatabase): Promise<void> => {
  const { oldChanges } = db;
  const stored = [
    db.messages.toCollection(),
    db.log.where('key').startsWith(OLD_PREFIXES.received),
    db.log.where('key').startsWith(OLD_PREFIXES.segment),
    // Keys without the prefix of this version.
    db.coverage.where('room').above('+\uffff'),
  ];
  const found = await Promise.all(stored.map((rows) => hasRows(rows)));
  // This check may lack data that changed meanwhile, which is checked separately.
  if (db.oldChanges === oldChanges) db.hasOld = found.includes(true);
};

/** A page of an earlier version may still be open and keep writing in its format. */
const followOldPages = (db: UserDatabase): void => {
  const forget = db.rows.watch((changes) => {
    if (!changes.has(TABLES.messages)) return;
    db.hasOld = true;
    db.oldChanges += 1;
    // If that fails, both formats are read.
    void attempt(db, () => checkOld(db));
  });
  db.onEnd(forget);
};

/**
 * Moves data of earlier versions in short transactions; it stays readable meanwhile. Unreadable
 * rows are rebuilt from the log, even if another rebuild runs or ran, because this may be part of
 * it. Safe to repeat; rejects as the storage does.
 */
const moveOldRows = async (db: UserDatabase): Promise<void> => {
  await checkOld(db);
  if (!db.hasOld) return;
  const { moveOld } = await import('./move-old.ts');
  if (await moveOld(db)) await rebuildFor(db, { table: TABLES.messages, reason: 'while moved' });
};

const bringUpToDate = async (db: UserDatabase): Promise<void> => {
  await moveOldRows(db);
  if (!(await isUpToDate(db))) await (await importReplay()).rebuildRooms(db);
};

/**
 * Moves rows of earlier versions, then rebuilds tables that older reducers made. A failure is
 * logged, and a later call resumes. Never rejects.
 */
export const tryUpdate = (db: UserDatabase): Promise<void> => {
  db.updating ??= reportFailure(db, () => bringUpToDate(db)).finally(
    () => (db.updating = undefined),
  );
  return db.updating;
};

const rebuildInBackground = async (
  db: UserDatabase,
  running: Promise<void> | undefined,
): Promise<void> => {
  await running;
  await tryUpdate(db);
  db.rebuilt = undefined;
};

const isEmpty = async ({ log, entries }: UserDatabase): Promise<boolean> =>
  !(await hasRows(log)) && !(await hasRows(entries));

/**
 * Prepares the tables at a start. If an older version of the reducers made them, they are rebuilt
 * in the background: a room shows its old rows until then, and appends work on them. They are also
 * rebuilt, before anything else, if an outbox row is unreadable: no query would return a row that
 * lost its room or state, and its message would never be sent.
 */
export const rebuildIfNeeded = async (db: UserDatabase): Promise<void> => {
  followOldPages(db);
  const [items] = await Promise.all([db.outbox.toArray(), checkOld(db)]);
  const { reason } = readRows(parseOutboxItem, items);
  if (reason !== undefined) await rebuildOnce(db, { table: TABLES.outbox, reason });
  if (await isUpToDate(db)) {
    if (db.hasOld) void tryUpdate(db);
  } else if (await isEmpty(db)) await recordProjectionVersion(db);
  else db.rebuilt = rebuildInBackground(db, db.rebuilt);
};
