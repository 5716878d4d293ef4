import { Dexie } from 'dexie';
import { beforeEach, describe, expect, it } from 'vitest';

import { createDeviceStore } from '#db/device/device-store.ts';
import { createLazyDeviceStore } from '#db/device/lazy-device-store.ts';
import { DeviceDatabase } from '#db/schema/database.ts';
import { Space } from '#db/schema/space.ts';
import { ok } from '#domain/result.ts';
import type { Session } from '#domain/schemas/session.ts';
import { createDevice } from '#tests/support/device.ts';

const session: Session = { user: { uid: 'u_me' }, expires: '2030-01-01T00:00:00.000Z' };
const NAME = 'replay-desk-device';

let device: ReturnType<typeof createDevice>;
let factory: IDBFactory;
let loads: number;

beforeEach(() => {
  device = createDevice();
  factory = device.options.indexedDB?.indexedDB as IDBFactory;
  loads = 0;
});

/** A page of this device. */
const openPage = (space = new Space()) =>
  createLazyDeviceStore(
    { space },
    async () => {
      loads += 1;
      return createDeviceStore({ ...device.options, space });
    },
    factory,
  );

const listDatabases = async () => (await factory.databases()).map(({ name }) => name);

describe('a device without data', () => {
  it('has no session, no sign-out and no remaining data, and gets no database', async () => {
    const page = openPage();
    expect(await page.findSession()).toEqual(ok(undefined));
    expect(await page.findSignOuts()).toEqual(ok({ count: 0, pending: false }));
    expect(await page.listPendingPurges()).toEqual(ok([]));
    expect(await page.clearSession()).toEqual(ok(undefined));
    expect(await page.confirmSignOut()).toEqual(ok(undefined));
    expect(loads).toBe(0);
    expect(await listDatabases()).toEqual([]);
  });

  it('stores the first session', async () => {
    const page = openPage();
    await page.findSession();
    expect(await page.saveSession(session, 0)).toEqual(ok(true));
    expect(await page.findSession()).toEqual(ok(session));
    expect(await openPage().findSession()).toEqual(ok(session));
  });
});

describe('a device with data', () => {
  const prepare = async () => {
    const before = createDeviceStore(device.options);
    await before.saveSession(session, 0);
    return before;
  };

  it('is read with the same results as by the whole store, without loading its library', async () => {
    const before = await prepare();
    const page = openPage();
    expect(await page.findSession()).toEqual(ok(session));
    await before.signOut({ uid: 'u_me', discarded: [] });
    expect(await page.findSession()).toEqual(await before.findSession());
    expect(await page.findSignOuts()).toEqual(ok({ count: 1, pending: true }));
    expect(await page.listPendingPurges()).toEqual(ok(['u_me']));
    expect(loads).toBe(0);
  });

  it('clears its session and settles its pending sign-out on request', async () => {
    const before = await prepare();
    const page = openPage();
    await page.clearSession();
    expect(await before.findSession()).toEqual(ok(undefined));
    await before.signOut({ uid: 'u_me', discarded: [] });
    await openPage().confirmSignOut();
    expect(await before.findSignOuts()).toEqual(ok({ count: 1, pending: false }));
  });

  it('does not block another tab that deletes or upgrades the database', async () => {
    await prepare();
    const page = openPage();
    await page.findSession();
    await new Dexie(NAME, device.options.indexedDB).delete();
    expect(await listDatabases()).toEqual([]);
    expect(await page.findSession()).toEqual(ok(undefined));
  });

  it('is upgraded and read if an older version wrote it', async () => {
    const old = new Dexie(NAME, device.options.indexedDB);
    old.version(1).stores({ sessions: 'key' });
    await old.table('sessions').put({ key: 'last', session, v: 1 });
    old.close();
    const page = openPage();
    expect(await page.findSignOuts()).toEqual(ok({ count: 0, pending: false }));
    expect(await page.findSession()).toEqual(ok(session));
  });

  it('is read and written if a newer version wrote it', async () => {
    await prepare();
    const newer = new Dexie(NAME, device.options.indexedDB);
    newer.version(99).stores({ sessions: 'key', signOuts: 'key', later: 'id' });
    await newer.open();
    newer.close();
    const page = openPage();
    expect(await page.findSession()).toEqual(ok(session));
    expect(await page.findSignOuts()).toEqual(ok({ count: 0, pending: false }));
    const renewed = { ...session, expires: '2031-01-01T00:00:00.000Z' };
    expect(await page.saveSession(renewed, 0)).toEqual(ok(true));
    expect(await openPage().findSession()).toEqual(ok(renewed));
  });

  it('reports an unreadable session as the whole store does', async () => {
    const database = new DeviceDatabase(device.options);
    await database.sessions.put({ key: 'last', session: { user: 7 }, v: 1 });
    database.close();
    expect(await openPage().findSession()).toEqual(ok(undefined));
    expect(device.lines.map(({ code }) => code)).toEqual(['STORED_ROW_UNREADABLE']);
  });
});

it('a database closed by a full disk is not read before the recovery', async () => {
  const space = new Space({
    wasFull: () => Promise.resolve(true),
    flag: () => undefined,
    unflag: () => undefined,
    hasSpace: async () => false,
  });
  const found = await openPage(space).findSession();
  expect(found).toMatchObject({ ok: false, error: { kind: 'quota' } });
});

it('a library that fails to load is a storage error, and is loaded again at the next write', async () => {
  let isAway = true;
  const page = createLazyDeviceStore(
    {},
    async () => {
      if (isAway) throw new TypeError('Failed to fetch');
      return createDeviceStore(device.options);
    },
    factory,
  );
  expect(await page.saveSession(session, 0)).toMatchObject({
    ok: false,
    error: { kind: 'storage' },
  });
  isAway = false;
  expect(await page.saveSession(session, 0)).toEqual(ok(true));
});
