import type { AppError } from '#domain/errors.ts';
import type { DeviceStore, PendingPurge } from '#domain/ports/device.ts';
import type { Result } from '#domain/result.ts';
import { type Session, sessionSchema } from '#domain/schemas/session.ts';

import { type DatabaseOptions, DeviceDatabase } from '../schema/database.ts';
import { findSignOuts } from './sign-outs.ts';
import { attempt } from '../schema/storage-errors.ts';
import { ROW_VERSION, SESSIONS, SIGN_OUTS } from '../schema/tables.ts';
import { write } from '../schema/write.ts';

/** Needed only for a sign-out, and for a sign-in on a device without this user's data. */
const loadPurge = () => import('./purge-user-data.ts');
const loadKept = () => import('./kept-messages.ts');

/** An unreadable stored session counts as none; it remains until the next one replaces it. */
const findSession = async (db: DeviceDatabase): Promise<Session | undefined> => {
  const row = await db.sessions.get(SESSIONS.last);
  if (row === undefined) return undefined;
  const parsed = sessionSchema.safeParse(row.session);
  if (parsed.success) return parsed.data;
  db.clientLog.write('error', 'STORED_ROW_UNREADABLE', { table: 'sessions' });
  return undefined;
};

const saveSession = (db: DeviceDatabase, session: Session, count: number): Promise<boolean> =>
  write(db, [db.sessions, db.signOuts], async () => {
    if ((await findSignOuts(db)).count !== count) return false;
    await db.sessions.put({ key: SESSIONS.last, session, v: ROW_VERSION });
    return true;
  });

const signOut = (db: DeviceDatabase, purge: PendingPurge): Promise<void> =>
  write(db, [db.sessions, db.signOuts, db.departures], async () => {
    const { count } = await findSignOuts(db);
    await db.signOuts.bulkPut([
      { key: SIGN_OUTS.count, turn: count + 1, v: ROW_VERSION },
      { key: SIGN_OUTS.pending, at: db.clock.now(), v: ROW_VERSION },
    ]);
    await db.departures.put({ ...purge, v: ROW_VERSION });
    await db.sessions.delete(SESSIONS.last);
  });

/**
 * Over the quota, cached history makes space for the record of the sign-out. Not on a full disk,
 * where nothing may be opened (decision 48).
 */
const signOutMakingSpace = async (
  db: DeviceDatabase,
  options: DatabaseOptions,
  purge: PendingPurge,
): Promise<Result<void, AppError>> => {
  const record = () => attempt(db, () => signOut(db, purge));
  const first = await record();
  if (first.ok || first.error.kind !== 'quota' || db.space.view.isClosed) return first;
  return (await loadPurge()).repeatWithSpace(purge.uid, options, record);
};

/** See `DeviceStore`. */
export const createDeviceStore = (options: DatabaseOptions = {}): DeviceStore => {
  const db = new DeviceDatabase(options);
  return {
    findSession: () => attempt(db, () => findSession(db)),
    saveSession: (session, count) => attempt(db, () => saveSession(db, session, count)),
    clearSession: () =>
      attempt(db, () => write(db, [db.sessions], async () => db.sessions.delete(SESSIONS.last))),
    findSignOuts: () => attempt(db, () => findSignOuts(db)),
    signOut: (purge) => signOutMakingSpace(db, options, purge),
    confirmSignOut: () =>
      attempt(db, () =>
        write(db, [db.signOuts], async () => db.signOuts.delete(SIGN_OUTS.pending)),
      ),
    listPendingPurges: () => attempt(db, () => db.departures.toCollection().primaryKeys()),
    purgeUserData: (uid, own) =>
      attempt(db, async () => (await loadPurge()).purgeUserData(db, uid, options, own)),
    openKept: (uid, keys) =>
      attempt(db, async () => (await loadKept()).openKept(db, options.sealing, uid, keys)),
    dropKept: (uid, kept) => attempt(db, async () => (await loadKept()).dropKept(db, uid, kept)),
    discardKept: (uid) => attempt(db, async () => (await loadKept()).discardKept(db, uid)),
  };
};
