import 'fake-indexeddb/auto';
import { IDBObjectStore, IDBRequest } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { toUserDatabaseName } from '#db/schema/database.ts';
import { openStore } from '#src/boot/open-store.ts';

beforeEach(() => {
  vi.stubGlobal('location', { pathname: '/chat/c_001/team' });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** From now on, requests for a fetched list are never answered. */
const loseLists = (): void => {
  const { prototype } = IDBObjectStore;
  const get = Object.getOwnPropertyDescriptor(prototype, 'get')?.value as typeof prototype.get;
  vi.spyOn(prototype, 'get').mockImplementation(function answer(this: IDBObjectStore, key) {
    return this.name === 'documents' ? new IDBRequest() : get.call(this, key);
  });
};

const open = (uid: string) => openStore(uid, {}, (opening) => opening);

it('opens an empty store', async () => {
  const store = await open('u_empty');
  expect(store.ok).toBe(true);
});

it('opens after a while even if the clients are not read', async () => {
  loseLists();
  const store = await open('u_unread');
  expect(store.ok).toBe(true);
});

it('fails as soon as another tab deletes the store, however long it would wait', async () => {
  loseLists();
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const store = await openStore('u_deleted', {}, async (opening) => {
    const opened = await opening;
    indexedDB.deleteDatabase(toUserDatabaseName('u_deleted'));
    return opened;
  });
  expect(store).toMatchObject({ ok: false, error: { kind: 'storage' } });
});
