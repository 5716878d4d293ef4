import { Dexie } from 'dexie';
import { describe, expect, it, vi } from 'vitest';

import { DeviceDatabase, toUserDatabaseName } from '#db/schema/database.ts';
import { createDeviceStore } from '#db/device/device-store.ts';
import { DEVICE_SCHEMA } from '#db/schema/schema.ts';
import type { Session } from '#domain/schemas/session.ts';
import { createWebSealing } from '#src/adapters/browser/web-sealing.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, queued, received } from '#tests/support/facts.ts';

import { abortForQuota } from '../user/open-on-disk.ts';

const session: Session = { user: { uid: 'u_me' }, expires: '2030-01-01T00:00:00.000Z' };
const refusal = { room: 'c_001/team', reason: 'No', at: 5 } as const;

const sealing = createWebSealing();
const ownKeys = { keys: [await sealing.importKey('k'.repeat(43))], storeIds: ['store-me'] };

const signedIn = async () => {
  const device = createDevice();
  const store = createDeviceStore(device.options);
  await store.saveSession(session, 0);
  const tab = await device.openTab();
  await tab.saveKeys(ownKeys);
  await tab.append([received(at(1)), queued('a'), queued('b'), queued('c')]);
  await tab.append([{ type: 'v1.PublishFailed', id: 'b', ...refusal }]);
  const listDatabases = async (): Promise<readonly string[]> => {
    const factory = device.options.indexedDB?.indexedDB;
    const all: { name: string }[] = await Reflect.apply(
      Reflect.get(factory ?? {}, 'databases'),
      factory,
      [],
    );
    return all.map(({ name }) => name);
  };
  return { device, store, tab, listDatabases };
};

const openKept = async (store: ReturnType<typeof createDeviceStore>, keys = ownKeys.keys) => {
  const found = await store.openKept('u_me', keys);
  if (!found.ok) throw new Error(JSON.stringify(found.error));
  return found.value;
};

const ids = async (store: ReturnType<typeof createDeviceStore>) =>
  (await openKept(store)).items.map(({ id, state }) => `${id} ${state}`);

describe('a sign-out on this device', () => {
  it('ends the session, is counted, and is pending until it is settled', async () => {
    const { store } = await signedIn();
    expect(await store.findSignOuts()).toEqual({
      ok: true,
      value: { count: 0, pending: false },
    });
    await store.signOut({ uid: 'u_me', discarded: [] });
    expect(await store.findSession()).toEqual({ ok: true, value: undefined });
    expect(await store.findSignOuts()).toEqual({
      ok: true,
      value: { count: 1, pending: true },
    });
    await store.confirmSignOut();
    expect(await store.findSignOuts()).toEqual({
      ok: true,
      value: { count: 1, pending: false },
    });
  });

  it('rejects a session that was requested before it', async () => {
    const { store } = await signedIn();
    await store.signOut({ uid: 'u_me', discarded: [] });
    expect(await store.saveSession(session, 0)).toEqual({ ok: true, value: false });
    expect(await store.findSession()).toEqual({ ok: true, value: undefined });
    expect(await store.saveSession(session, 1)).toEqual({ ok: true, value: true });
  });

  it('deletes the data and keeps unsent messages, except discarded ones', async () => {
    const { store, listDatabases } = await signedIn();
    await store.signOut({ uid: 'u_me', discarded: ['a'] });
    expect(await store.listPendingPurges()).toEqual({ ok: true, value: ['u_me'] });
    expect(await store.purgeUserData('u_me')).toEqual({ ok: true, value: undefined });
    expect(await listDatabases()).toEqual(['replay-desk-device']);
    expect(await ids(store)).toEqual(['b failed', 'c queued']);
    expect(await store.listPendingPurges()).toEqual({ ok: true, value: [] });
  });

  it('deletes cached messages if the quota leaves no space to record it, and no unsent ones', async () => {
    const { store, tab } = await signedIn();
    await tab.append(Array.from({ length: 60 }, (_, n) => received(at(n + 1))));
    let hasSpace = false;
    const [remove, put] = ['delete', 'put'].map((name) =>
      Reflect.get(IDBObjectStore.prototype, name),
    );
    vi.spyOn(IDBObjectStore.prototype, 'delete').mockImplementation(function (
      this: IDBObjectStore,
      key,
    ) {
      hasSpace ||= this.name === 'entries';
      return Reflect.apply(remove, this, [key]);
    });
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
      this: IDBObjectStore,
      ...row
    ) {
      if (!hasSpace && this.name === 'departures') abortForQuota();
      return Reflect.apply(put, this, row);
    });
    const left = await store.signOut({ uid: 'u_me', discarded: [] });
    vi.restoreAllMocks();
    expect(left).toEqual({ ok: true, value: undefined });
    expect(await store.findSession()).toEqual({ ok: true, value: undefined });
    expect(await tab.database.entries.count()).toBeLessThan(60);
    await store.purgeUserData('u_me');
    expect(await ids(store)).toEqual(['a queued', 'b failed', 'c queued']);
  });

  it('deletes cached messages if the quota leaves no space for the kept ones', async () => {
    const { store, listDatabases } = await signedIn();
    await store.signOut({ uid: 'u_me', discarded: [] });
    let hasSpace = false;
    const [clear, add] = ['clear', 'add'].map((name) =>
      Reflect.get(IDBObjectStore.prototype, name),
    );
    vi.spyOn(IDBObjectStore.prototype, 'clear').mockImplementation(function (this: IDBObjectStore) {
      hasSpace ||= this.name === 'entries';
      return Reflect.apply(clear, this, []);
    });
    vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(function (
      this: IDBObjectStore,
      ...row
    ) {
      if (!hasSpace && this.name === 'sealed') abortForQuota();
      return Reflect.apply(add, this, row);
    });
    const purged = await store.purgeUserData('u_me');
    vi.restoreAllMocks();
    expect(purged).toEqual({ ok: true, value: undefined });
    expect(await listDatabases()).toEqual(['replay-desk-device']);
    expect(await ids(store)).toEqual(['a queued', 'b failed', 'c queued']);
  });

  it('loses nothing when it is interrupted after any step and repeated', async () => {
    const { device, store } = await signedIn();
    await store.signOut({ uid: 'u_me', discarded: [] });
    await store.purgeUserData('u_me');
    // Simulates an interruption of the last step, which removes the pending purge.
    await new DeviceDatabase(device.options).departures.put({ uid: 'u_me', discarded: [], v: 1 });
    await store.purgeUserData('u_me');
    expect(await ids(store)).toEqual(['a queued', 'b failed', 'c queued']);
    await store.dropKept('u_me', await openKept(store));
    expect(await ids(store)).toEqual([]);
  });

  it('does not drop messages that were kept again while they were being restored', async () => {
    const { device, store } = await signedIn();
    await store.signOut({ uid: 'u_me', discarded: [] });
    await store.purgeUserData('u_me');
    const returning = await openKept(store);
    const again = await device.openTab();
    await again.saveKeys(ownKeys);
    await again.append(returning.items.map(({ id }) => queued(id)));
    await store.signOut({ uid: 'u_me', discarded: [] });
    await store.purgeUserData('u_me');
    await store.dropKept('u_me', returning);
    expect(await ids(store)).toEqual(['a queued', 'b queued', 'c queued']);
  });

  it('keeps every accepted message, also those another tab writes meanwhile', async () => {
    const { store, tab } = await signedIn();
    await store.signOut({ uid: 'u_me', discarded: [] });
    const leaving = store.purgeUserData('u_me');
    const accepted = ['a queued', 'b failed', 'c queued'];
    for (let i = 0; i < 40; i += 1) {
      const stored = await tab.append([queued(`late-${i}`)]);
      if (stored.ok) accepted.push(`late-${i} queued`);
    }
    await leaving;
    expect(accepted.length).toBeGreaterThan(3);
    expect(await ids(store)).toEqual(accepted);
  });

  it('notifies the stores that are still open', async () => {
    const { store, tab } = await signedIn();
    let lost = 0;
    tab.onLost(() => {
      lost += 1;
    });
    await store.signOut({ uid: 'u_me', discarded: [] });
    await store.purgeUserData('u_me');
    expect(lost).toBe(1);
  });

  it('does not affect other users', async () => {
    const { device, store, listDatabases } = await signedIn();
    await (await device.openTab('u_other')).append([queued('x')]);
    await store.signOut({ uid: 'u_me', discarded: [] });
    await store.purgeUserData('u_me');
    await store.purgeUserData('u_other');
    expect(await listDatabases()).toContain(toUserDatabaseName('u_other'));
  });

  it('works in a device database of the first version', async () => {
    const device = createDevice();
    const first = new Dexie('replay-desk-device', device.options.indexedDB);
    first.version(1).stores({ ...DEVICE_SCHEMA[0]?.stores });
    await first.table('sessions').put({ key: 'last', session, v: 1 });
    first.close();
    const store = createDeviceStore(device.options);
    expect(await store.findSession()).toEqual({ ok: true, value: session });
    await store.signOut({ uid: 'u_me', discarded: [] });
    expect(await store.findSignOuts()).toEqual({
      ok: true,
      value: { count: 1, pending: true },
    });
  });

  it('leaves only unsent messages where no key can encrypt them', async () => {
    const device = createDevice();
    const tab = await device.openTab();
    await tab.recordVisit('c_001/team');
    await tab.takeFence('tab', 0);
    await tab.openSegment(1, { after: at(0), resumes: false, rooms: ['c_001/team'] });
    await tab.append([received(at(1)), queued('a')]);
    await tab.database.log.add({ key: 'damaged', at: 0, v: 1 } as never);
    const store = createDeviceStore(device.options);
    await store.signOut({ uid: 'u_me', discarded: [] });
    tab.close();
    expect(await store.purgeUserData('u_me')).toMatchObject({ ok: false });
    const left = device.openDatabase();
    expect(await left.outbox.toCollection().primaryKeys()).toEqual(['a']);
    expect(await left.entries.count()).toBe(0);
    expect((await left.log.toArray()).map(({ key }) => key)).toEqual(['queued|a']);
    const rows = await left.meta.toCollection().primaryKeys();
    expect(rows.map(String)).toEqual(['projection', 'sealed']);
    left.end();
  });
});
