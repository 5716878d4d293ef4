import { Dexie } from 'dexie';
import 'fake-indexeddb/auto';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { DeviceDatabase, toUserDatabaseName } from '#db/schema/database.ts';
import { OPEN_TIMEOUT_MS } from '#db/schema/limits.ts';
import { openUserStore } from '#db/user/user-store.ts';
import { createDeviceStore } from '#db/device/device-store.ts';
import { findThreadParts } from '#db/read/queries.ts';
import type { Session } from '#domain/schemas/session.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, page, queued, received, ROOM, roomRead } from '#tests/support/facts.ts';

describe('findOlder', () => {
  const openWith = async (count: number) => {
    const tab = await createDevice().openTab();
    const elsewhere = received(at(3), { room: 'c_001/general' });
    await tab.append([elsewhere, ...Array.from({ length: count }, (_, n) => received(at(n)))]);
    return tab;
  };

  it('finds the start of the page before a moment', async () => {
    const tab = await openWith(10);
    expect(await tab.findOlder(ROOM, 3, at(8))).toEqual({
      ok: true,
      value: { from: at(5), to: at(7), count: 3 },
    });
    expect(await tab.findOlder(ROOM, 25, at(100))).toEqual({
      ok: true,
      value: { from: at(0), to: at(9), count: 10 },
    });
  });

  it('finds nothing before the first message, in an empty room, or for no count', async () => {
    const tab = await openWith(2);
    expect(await tab.findOlder(ROOM, 25, at(0))).toEqual({ ok: true, value: undefined });
    expect(await tab.findOlder('c_009/team', 25, at(9))).toEqual({ ok: true, value: undefined });
    expect(await tab.findOlder(ROOM, 0, at(9))).toEqual({ ok: true, value: undefined });
  });
});

describe('findReadUpTo', () => {
  it('is unknown until reading began, and then a position of each room', async () => {
    const tab = await createDevice().openTab();
    const [other, empty] = ['c_002/team', 'c_003/team'] as const;
    await tab.append([received(at(1)), roomRead(at(5)), roomRead(at(2), other)]);
    expect(await tab.findReadUpTo([ROOM])).toEqual({ ok: true, value: undefined });
    await tab.append([{ type: 'v1.ReadingBegan', timetoken: at(3) }]);
    expect(await tab.findReadUpTo([ROOM, other, empty])).toEqual({
      ok: true,
      value: new Map([
        [ROOM, at(5)],
        [other, at(3)],
        [empty, at(3)],
      ]),
    });
  });
});

describe('findThreadParts', () => {
  it('reads from a given position, in one room only', async () => {
    const tab = await createDevice().openTab();
    const facts = Array.from({ length: 40 }, (_, n) => received(at(n)));
    await tab.append([...facts, received(at(50), { room: 'c_002/team' }), queued('a')]);
    const { rows, items } = await findThreadParts(tab.database, ROOM, at(30));
    expect(rows.map(({ timetoken }) => timetoken)).toEqual(
      Array.from({ length: 10 }, (_, n) => at(30 + n)),
    );
    expect(items).toMatchObject([{ id: 'a' }]);
  });

  it('reads the newest page while the position is unknown', async () => {
    const tab = await createDevice().openTab();
    await tab.append(Array.from({ length: 40 }, (_, n) => received(at(n))));
    const { rows } = await findThreadParts(tab.database, ROOM, undefined);
    expect(rows).toHaveLength(25);
    expect(rows.map(({ timetoken }) => timetoken).toSorted()[0]).toBe(at(15));
  });
});

describe('fetched lists and coverage', () => {
  it('are stored with their fetch time, the newer replacing the older', async () => {
    const tab = await createDevice().openTab();
    expect(await tab.findTeamsFetchedAt()).toEqual({ ok: true, value: undefined });
    const team = { client_id: 'c_001', client: { first_name: 'Maya', last_name: 'Okafor' } };
    await tab.saveTeams([team], 5);
    await tab.saveTeams([], 6);
    await tab.saveProducers([{ uid: 'u_1', name: 'Ana' }], 7);
    expect(await tab.findTeamsFetchedAt()).toEqual({ ok: true, value: 6 });
    expect(await tab.database.documents.get('producers')).toMatchObject({ fetchedAt: 7 });
  });

  it('are listed for every room seen', async () => {
    const tab = await createDevice().openTab();
    const elsewhere = { ...page(at(1), at(2), true), room: 'c_002/team' } as const;
    await tab.append([page(at(1), at(2)), page(at(2), at(9)), elsewhere]);
    const known = await tab.findAllCoverage();
    expect(known.ok && [...known.value.pages.values()]).toEqual([
      { room: ROOM, ranges: [{ from: at(1), to: at(9) }], reachedStart: false },
      {
        room: 'c_002/team',
        ranges: [{ from: '00000000000000000', to: at(2) }],
        reachedStart: true,
      },
    ]);
    expect(known).toMatchObject({ value: { rooms: [ROOM, 'c_002/team'], isNamed: false } });
    expect(await tab.findCoverage('c_009/team')).toEqual({ ok: true, value: undefined });
  });

  it('are readable only for rooms of listed clients', async () => {
    const tab = await createDevice().openTab();
    await tab.append([{ ...page(at(1), at(2)), room: 'c_002/team' }]);
    const client = { first_name: 'Maya', last_name: 'Okafor' };
    await tab.saveTeams([{ client_id: 'c_001', client }], 5);
    const readable = ['c_001/team', 'c_001/general', 'c_001/producers'];
    const rooms = [...readable, 'c_002/team'];
    expect(await tab.findAllCoverage()).toMatchObject({ ok: true, value: { rooms, readable } });
  });
});

describe('device store', () => {
  const session: Session = { user: { uid: 'u_me' }, expires: '2030-01-01T00:00:00.000Z' };

  it('keeps the last session until it is cleared', async () => {
    const { options } = createDevice();
    const store = createDeviceStore(options);
    expect(await store.findSession()).toEqual({ ok: true, value: undefined });
    expect(await store.saveSession(session, 0)).toEqual({ ok: true, value: true });
    expect(await createDeviceStore(options).findSession()).toEqual({ ok: true, value: session });
    await store.clearSession();
    expect(await store.findSession()).toEqual({ ok: true, value: undefined });
  });

  it('exists again after it was deleted', async () => {
    const { options } = createDevice();
    const store = createDeviceStore(options);
    await store.saveSession(session, 0);
    await new Dexie('replay-desk-device', options.indexedDB).delete();
    expect(await store.findSession()).toEqual({ ok: true, value: undefined });
    expect(await store.saveSession(session, 0)).toEqual({ ok: true, value: true });
  });

  it('treats an unreadable session as none, and logs it', async () => {
    const { options, lines } = createDevice();
    await new DeviceDatabase(options).sessions.put({ key: 'last', session: { user: 1 }, v: 1 });
    const store = createDeviceStore(options);
    expect(await store.findSession()).toEqual({ ok: true, value: undefined });
    expect(lines).toMatchObject([{ code: 'STORED_ROW_UNREADABLE' }]);
    expect(await store.saveSession(session, 0)).toEqual({ ok: true, value: true });
  });
});

describe('openUserStore', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('reports a wait while a frozen tab blocks an upgrade', async () => {
    const name = toUserDatabaseName('u_frozen');
    // A connection to an earlier version that does not react to the request to close.
    const frozen = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open(name, 1);
      opening.addEventListener('success', () => resolve(opening.result));
      opening.addEventListener('error', () => reject(new Error('not opened')));
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const opening = openUserStore('u_frozen');
    await vi.advanceTimersByTimeAsync(OPEN_TIMEOUT_MS);
    expect(await opening).toEqual({ ok: false, error: { kind: 'timeout' } });
    frozen.close();
  });
});
