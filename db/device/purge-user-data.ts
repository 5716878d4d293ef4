import { Dexie } from 'dexie';

import type { AppError } from '#domain/errors.ts';
import type { OwnKeys } from '#domain/ports/device.ts';
import { parseOutboxItem } from '#domain/project/row-schemas.ts';
import type { OutboxItem } from '#domain/project/rows.ts';
import type { Result } from '#domain/result.ts';

import {
  type DatabaseOptions,
  type DeviceDatabase,
  toUserDatabaseName,
  UserDatabase,
} from '../schema/database.ts';
import { OPEN_TIMEOUT_MS } from '../schema/limits.ts';
import { listUnsent } from '../log/readable-tables.ts';
import { rebuildNow } from '../log/rebuild.ts';
import { isUpToDate } from '../schema/projection-version.ts';
import { readRows } from '../schema/readable.ts';
import { toStorageError } from '../schema/storage-errors.ts';
import { META, ROW_VERSION, TABLES } from '../schema/tables.ts';
import { write } from '../schema/write.ts';
import { keepSealed } from './kept-messages.ts';
import { findOwnKeys } from '../user/own-keys.ts';

/** Prunes cached history of a user, then repeats `record` once. Failures are logged. */
export const repeatWithSpace = async (
  uid: string,
  { space: _ofPage, ...options }: DatabaseOptions,
  record: () => Promise<Result<void, AppError>>,
): Promise<Result<void, AppError>> => {
  // Without the page's space: the end of this connection must not reset what the page shows.
  const user = new UserDatabase(uid, options);
  try {
    const { makeSpace } = await import('../log/retention.ts');
    await makeSpace(user);
  } catch (error) {
    user.clientLog.write('error', 'SPACE_NOT_MADE', { message: String(error) });
  } finally {
    user.end();
  }
  return record();
};

/** The unsent messages of a signed-out user, without the discarded ones, and that user's keys. */
interface RemainingData {
  readonly unsent: readonly OutboxItem[];
  readonly own: OwnKeys | undefined;
}

/** Rows about the database itself, and the user's keys. */
const STORE_ROWS = new Set<string>([
  META.sealed,
  META.projection,
  META.rebuild,
  META.engine,
  META.keys,
]);

/** The message that a fact is about, if any; a damaged row has no fact. */
const toItemId = (fact: unknown): unknown => {
  const { id }: { readonly id?: unknown } = Object(fact);
  return id;
};

/**
 * Deletes everything except unsent messages, which cannot be moved elsewhere without a key or
 * space. The facts about them stay, from which the outbox can be rebuilt.
 */
const keepOnlyUnsent = async (user: UserDatabase): Promise<void> => {
  const kept = new Set<string>([TABLES.outbox, TABLES.meta, TABLES.log]);
  const others = user.tables.filter(({ name }) => !kept.has(name));
  await write(user, [user.outbox, user.log, user.meta, ...others], async () => {
    for (const table of others) await table.clear();
    await user.meta.filter(({ key }) => !STORE_ROWS.has(key)).delete();
    const ids = new Set<unknown>(await user.outbox.toCollection().primaryKeys());
    await user.log.filter(({ fact }) => !ids.has(toItemId(fact))).delete();
  });
};

/** Whether the outbox lacks a message or contains it in an unreadable form. */
const isDamaged = async (db: UserDatabase): Promise<boolean> =>
  !(await isUpToDate(db)) ||
  readRows(parseOutboxItem, await db.outbox.toArray()).reason !== undefined;

/**
 * Reads the unsent messages and stops accepting writes, in one transaction: a message that another
 * tab accepted before is included, and later ones are not accepted. A full disk cannot accept
 * messages either, and the data has to be deleted anyway.
 */
export const closeForDeletion = async (db: UserDatabase): Promise<readonly OutboxItem[]> => {
  if (await isDamaged(db)) await rebuildNow(db);
  try {
    return await write(db, [db.outbox, db.meta], async () => {
      await db.meta.put({ key: META.sealed, at: db.clock.now(), v: ROW_VERSION });
      return listUnsent(db);
    });
  } catch (error) {
    if (toStorageError(error).kind !== 'quota') throw error;
    return listUnsent(db);
  }
};

/** Reads the unsent messages of a signed-out user and closes the connection again. */
const readUnsent = async (
  { uid, discarded }: { readonly uid: string; readonly discarded: readonly string[] },
  fetched: OwnKeys | undefined,
  options: DatabaseOptions,
): Promise<RemainingData> => {
  const user = new UserDatabase(uid, options);
  const isDiscarded = new Set(discarded);
  try {
    const unsent = (await closeForDeletion(user)).filter(({ id }) => !isDiscarded.has(id));
    const own = fetched ?? (await findOwnKeys(user));
    if (own === undefined && unsent.length > 0) await keepOnlyUnsent(user);
    return { unsent, own };
  } finally {
    user.end();
  }
};

/**
 * Deletes a user's database. An open connection in another tab delays this; a frozen tab delays it
 * for a long time.
 */
const deleteUser = async (uid: string, options: DatabaseOptions): Promise<void> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('Another tab blocks the storage.')), OPEN_TIMEOUT_MS);
  });
  const deleted = new Dexie(toUserDatabaseName(uid), { ...options.indexedDB }).delete();
  try {
    await Promise.race([deleted, late]);
  } finally {
    clearTimeout(timer);
  }
};

/** Keeps unsent messages encrypted; what else their database contains makes space for them. */
const keepUnsent = async (
  db: DeviceDatabase,
  uid: string,
  { unsent: items, own }: RemainingData,
  options: DatabaseOptions,
): Promise<void> => {
  const { sealing } = options;
  if (own === undefined || sealing === undefined) {
    throw new Error('There is no key to seal unsent messages with.');
  }
  const keep = () => keepSealed(db, sealing, { uid, keys: own.keys, items });
  try {
    await keep();
  } catch (error) {
    if (toStorageError(error).kind !== 'quota') throw error;
    const user = new UserDatabase(uid, options);
    try {
      await keepOnlyUnsent(user);
    } finally {
      user.end();
    }
    await keep();
  }
};

/** Whether any messages are kept for a user, readable or not. */
const hasKept = async (db: DeviceDatabase, uid: string): Promise<boolean> =>
  (await db.kept.get(uid)) !== undefined || (await db.sealed.where('uid').equals(uid).count()) > 0;

/** From now on the flag records kept messages instead of an existing store. */
const flagKept = async (
  db: DeviceDatabase,
  uid: string,
  own: OwnKeys | undefined,
  { flags }: DatabaseOptions,
): Promise<void> => {
  const [current] = own?.storeIds ?? [];
  for (const id of own?.storeIds ?? []) flags?.remove(id);
  if (current !== undefined && (await hasKept(db, uid))) flags?.set(current, 'kept');
};

/**
 * See `DeviceStore.purgeUserData`. A crash may follow any step. Calls must not run concurrently.
 */
export const purgeUserData = async (
  db: DeviceDatabase,
  uid: string,
  options: DatabaseOptions,
  fetched?: OwnKeys,
): Promise<void> => {
  const pending = await db.departures.get(uid);
  if (pending === undefined) return;
  const found = await readUnsent(pending, fetched, options);
  if (found.unsent.length > 0) await keepUnsent(db, uid, found, options);
  await flagKept(db, uid, found.own, options);
  await deleteUser(uid, options);
  await write(db, [db.departures], async () => db.departures.delete(uid));
};
