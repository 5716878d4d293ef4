import type { Returning } from '#domain/ports/device.ts';

import type { DeviceDatabase } from '../schema/database.ts';

/** Whether any messages are kept for a user, readable or not. */
export const hasKept = async (db: DeviceDatabase, uid: string): Promise<boolean> =>
  (await db.kept.get(uid)) !== undefined || (await db.sealed.where('uid').equals(uid).count()) > 0;

/** See `DeviceStore.findReturning`. */
export const findReturning = (db: DeviceDatabase, uid: string): PromiseLike<Returning> =>
  db.transaction('r', [db.departures, db.kept, db.sealed], async () => ({
    isLeaving: (await db.departures.get(uid)) !== undefined,
    hasKept: await hasKept(db, uid),
  }));
