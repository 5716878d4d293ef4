import { Dexie } from 'dexie';
import { forceCloseDatabase } from 'fake-indexeddb';

import { Space } from '#db/schema/space.ts';
import { openUserStore, type UserStore } from '#db/user/user-store.ts';
import type { Disk } from '#domain/ports/device.ts';
import { createDevice } from '#tests/support/device.ts';

/** The error of Chromium 156 for a write on a mounted file system without a free byte. */
const NO_SPACE =
  'Connection is closing because of: IO error: .../000003.log: FILE_ERROR_NO_SPACE (ChromeMethodBFE: 3::WritableFileAppend::8)';

/** Closes the connection like a browser; the library's type names the class instead. */
export const closeForced = (connection: IDBDatabase): void => {
  Reflect.apply(forceCloseDatabase, undefined, [connection]);
};

export const FULL = { ok: false, error: { kind: 'quota' } };

/** A disk under one tab that the test fills and frees. */
export const openOnDisk = async () => {
  const device = createDevice();
  const state = { isFull: false, isFlagged: false };
  const disk: Disk = {
    wasFull: () => Promise.resolve(state.isFlagged),
    flag: () => (state.isFlagged = true),
    unflag: () => (state.isFlagged = false),
    hasSpace: () => Promise.resolve(!state.isFull),
  };
  const openStore = () => openUserStore('u_me', { ...device.options, space: new Space(disk) });
  const mustOpen = async (): Promise<UserStore> => {
    const opened = await openStore();
    if (!opened.ok) throw new Error(JSON.stringify(opened.error));
    return opened.value;
  };
  const tab = await mustOpen();
  return { device, state, disk, tab, openStore, mustOpen };
};

/** The disk is full: the next write is refused, and the browser closes the database. */
export const fillUp = ({ tab, state }: Awaited<ReturnType<typeof openOnDisk>>): void => {
  state.isFull = true;
  const tables = [tab.database.log, tab.database.entries];
  const refuse = (): never => {
    for (const table of tables) table.hook('creating').unsubscribe(refuse);
    const connection = tab.database.backendDB();
    queueMicrotask(() => closeForced(connection));
    throw Object.assign(new Error(NO_SPACE), { name: 'UnknownError' });
  };
  for (const table of tables) table.hook('creating', refuse);
};

/** Aborts the running transaction as a browser does when the disk is full. */
export const abortForQuota = () => {
  const trans: unknown = Reflect.get(Dexie.currentTransaction, 'idbtrans');
  if (!(trans instanceof IDBTransaction)) throw new Error('no transaction to abort');
  const abort: unknown = Reflect.get(trans, '_abort');
  if (typeof abort !== 'function') throw new Error('no way to abort');
  queueMicrotask(() => Reflect.apply(abort, trans, ['QuotaExceededError']));
};
