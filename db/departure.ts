import { Dexie } from 'dexie';

import type { Returning } from '#domain/device-port.ts';
import type { OutboxItem } from '#domain/ports.ts';
import { parseOutboxItem } from '#domain/schemas/rows.ts';

import {
  type DatabaseOptions,
  type DeviceDatabase,
  toUserDatabaseName,
  UserDatabase,
} from './database.ts';
import { OPEN_TIMEOUT_MS } from './limits.ts';
import { readRows } from './readable.ts';
import { findSignOuts } from './sign-outs.ts';
import { sealUnsent } from './seal.ts';
import { ROW_VERSION } from './tables.ts';
import { write } from './write.ts';

/** Takes what somebody who left had not sent; the connection is closed again. */
const takeUnsent = async (
  uid: string,
  options: DatabaseOptions,
): Promise<readonly OutboxItem[]> => {
  const user = new UserDatabase(uid, options);
  try {
    return await sealUnsent(user);
  } finally {
    user.end();
  }
};

/** Deletes a user's database; a tab that holds on to it delays that, a frozen one for long. */
const deleteUser = async (uid: string, options: DatabaseOptions): Promise<void> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('Another tab holds the storage.')), OPEN_TIMEOUT_MS);
  });
  const deleted = new Dexie(toUserDatabaseName(uid), { ...options.indexedDB }).delete();
  try {
    await Promise.race([deleted, late]);
  } finally {
    clearTimeout(timer);
  }
};

const findKept = async (db: DeviceDatabase, uid: string): Promise<readonly OutboxItem[]> => {
  const row = await db.kept.get(uid);
  return readRows(parseOutboxItem, Array.isArray(row?.items) ? row.items : []).rows;
};

/**
 * See `DeviceStore.finishDeparture`. Every step may be the last before a crash; callers see to
 * it that no two run at once.
 */
export const finishDeparture = async (
  db: DeviceDatabase,
  uid: string,
  options: DatabaseOptions,
): Promise<void> => {
  const departure = await db.departures.get(uid);
  if (departure === undefined) return;
  const discarded = new Set(departure.discarded);
  const unsent = (await takeUnsent(uid, options)).filter(({ id }) => !discarded.has(id));
  if (unsent.length > 0) {
    await write(db, [db.kept], async () => {
      const kept = new Map((await findKept(db, uid)).map((item) => [item.id, item]));
      for (const item of unsent) kept.set(item.id, item);
      await db.kept.put({ uid, items: [...kept.values()], v: ROW_VERSION });
    });
  }
  await deleteUser(uid, options);
  await db.departures.delete(uid);
};

/** See `DeviceStore.findReturning`. */
export const findReturning = (db: DeviceDatabase, uid: string): PromiseLike<Returning> =>
  db.transaction('r', [db.departures, db.kept, db.signOuts], async () => {
    const [departure, kept, { turn }] = await Promise.all([
      db.departures.get(uid),
      findKept(db, uid),
      findSignOuts(db),
    ]);
    return { isLeaving: departure !== undefined, kept, turn };
  });

/** See `DeviceStore.dropKept`. */
export const dropKept = (db: DeviceDatabase, uid: string, turn: number): Promise<void> =>
  write(db, [db.kept, db.signOuts], async () => {
    if ((await findSignOuts(db)).turn === turn) await db.kept.delete(uid);
  });
