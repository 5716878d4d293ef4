import 'fake-indexeddb/auto';

import { Dexie } from 'dexie';
import { describe, expect, it, vi } from 'vitest';

import { createDeviceStore } from '#db/device/device-store.ts';
import { toUserDatabaseName } from '#db/schema/database.ts';
import { Space } from '#db/schema/space.ts';
import type { UserStore } from '#db/user/user-store.ts';
import { HELD_MESSAGES_MAX } from '#domain/limits.ts';
import { at, queued, received, ROOM } from '#tests/support/facts.ts';
import { untilPasses } from '#tests/support/wait-for.ts';

import { closeForced, fillUp, FULL, openOnDisk } from './open-on-disk.ts';

const isReadable = async ({ database }: UserStore): Promise<boolean> => {
  try {
    await database.log.count();
    return true;
  } catch {
    return false;
  }
};

describe('a completely full disk', () => {
  it('closes the store, which shows new messages from memory', async () => {
    const desk = await openOnDisk();
    await desk.tab.append([queued('before')]);
    fillUp(desk);
    expect(await desk.tab.append([received(at(1))])).toEqual(FULL);
    expect(await desk.tab.append([received(at(2))])).toEqual(FULL);
    expect(await desk.tab.append([queued('refused')])).toEqual(FULL);
    const { held, ...view } = desk.tab.database.space.view;
    expect(view).toMatchObject({ isFull: true, isClosed: true });
    expect(held.map(({ timetoken }) => timetoken)).toEqual([at(1), at(2)]);
    expect(desk.state.isFlagged).toBe(true);
    // Not even a reader may open it: later writes would follow the torn record.
    await untilPasses(async () => expect(await isReadable(desk.tab)).toBe(false));
    expect(await isReadable(desk.tab)).toBe(false);
    desk.tab.close();
  });

  it('opens no database for a sign-out', async () => {
    const desk = await openOnDisk();
    const { space } = desk.tab.database;
    fillUp(desk);
    expect(await desk.tab.append([received(at(1))])).toEqual(FULL);
    const opened = vi.spyOn(desk.device.factory, 'open');
    const store = createDeviceStore({ ...desk.device.options, space });
    expect(await store.signOut({ uid: 'u_me', discarded: [] })).toEqual(FULL);
    expect(opened).not.toHaveBeenCalled();
    desk.tab.close();
  });

  it('opens the store with all its data and a new log once there is space', async () => {
    const desk = await openOnDisk();
    let losses = 0;
    desk.tab.onLost(() => (losses += 1));
    await desk.tab.append([queued('before')]);
    const deletions = vi.spyOn(desk.device.factory, 'deleteDatabase');
    fillUp(desk);
    expect(await desk.tab.append([received(at(1))])).toEqual(FULL);
    expect(deletions).not.toHaveBeenCalled();
    desk.state.isFull = false;
    expect(await desk.tab.append([queued('after')])).toEqual({ ok: true, value: 1 });
    // Chromium starts a new log after the deletion of a database.
    expect(deletions).toHaveBeenCalledOnce();
    expect(desk.state.isFlagged).toBe(false);
    expect(await desk.tab.append([received(at(1))])).toEqual({ ok: true, value: 1 });
    expect(desk.tab.database.space.view).toMatchObject({
      isFull: false,
      isClosed: false,
      held: [],
    });
    const unsent = await desk.tab.listUnsent();
    expect(unsent.ok && unsent.value.map(({ id }) => id)).toEqual(['before', 'after']);
    expect(losses).toBe(0);
    desk.tab.close();
  });

  it('is checked until it has space, and its watchers are notified', async () => {
    const desk = await openOnDisk();
    const seen: boolean[] = [];
    desk.tab.watchSpace((isFull) => seen.push(isFull));
    const rooms: (readonly string[])[] = [];
    desk.tab.watchQueuedRooms((queuedRooms) => rooms.push(queuedRooms));
    fillUp(desk);
    expect(await desk.tab.append([received(at(1))])).toEqual(FULL);
    desk.state.isFull = false;
    await untilPasses(() => expect([seen.includes(true), seen.at(-1)]).toEqual([true, false]));
    await desk.tab.append([queued('after')]);
    await untilPasses(() => expect(rooms.at(-1)).toEqual([ROOM]));
    desk.tab.close();
  });

  it('is remembered: after a restart nothing is opened before there is space', async () => {
    const desk = await openOnDisk();
    await desk.tab.append([queued('before')]);
    fillUp(desk);
    expect(await desk.tab.append([received(at(1))])).toEqual(FULL);
    desk.tab.close();
    expect(await desk.openStore()).toEqual(FULL);
    desk.state.isFull = false;
    const again = await desk.mustOpen();
    const unsent = await again.listUnsent();
    expect(unsent.ok && unsent.value.map(({ id }) => id)).toEqual(['before']);
    expect(desk.state.isFlagged).toBe(false);
    again.close();
  });
});

describe('the first write of a page', () => {
  it('waits for a new log, once', async () => {
    const desk = await openOnDisk();
    const page = await desk.mustOpen();
    const deletion = { onsuccess: (): void => undefined };
    const deletions = vi
      .spyOn(desk.device.factory, 'deleteDatabase')
      .mockReturnValue(deletion as unknown as IDBOpenDBRequest);
    const written: string[] = [];
    const append = async (id: string): Promise<void> => {
      await page.append([queued(id)]);
      written.push(id);
    };
    const both = [append('a'), append('b')];
    await untilPasses(() => expect(deletions).toHaveBeenCalledOnce());
    expect(await page.listUnsent()).toEqual({ ok: true, value: [] });
    expect(written).toEqual([]);
    deletion.onsuccess();
    await Promise.all(both);
    expect(desk.device.lines).toEqual([]);
    await append('c');
    expect(written).toEqual(['a', 'b', 'c']);
    expect(deletions).toHaveBeenCalledOnce();
    page.close();
    desk.tab.close();
  });

  it.each(['clearSession', 'confirmSignOut'] as const)('waits for it in %s', async (name) => {
    const { device, disk, tab } = await openOnDisk();
    tab.close();
    const deletions = vi.spyOn(device.factory, 'deleteDatabase');
    const store = createDeviceStore({ ...device.options, space: new Space(disk) });
    expect(await store[name]()).toEqual({ ok: true, value: undefined });
    expect(deletions).toHaveBeenCalledExactlyOnceWith('replay-desk-log');
  });

  it('is written even if there is no new log, which is reported', async () => {
    const desk = await openOnDisk();
    const page = await desk.mustOpen();
    vi.spyOn(desk.device.factory, 'open').mockImplementation(() => {
      throw new Error('denied');
    });
    expect(await page.append([queued('a')])).toEqual({ ok: true, value: 1 });
    expect(desk.device.lines).toEqual([
      { level: 'warn', code: 'LOG_NOT_RENEWED', details: { message: 'Error: denied' } },
    ]);
    page.close();
    desk.tab.close();
  });
});

it('a store that ends during a check keeps no messages in memory', async () => {
  const desk = await openOnDisk();
  const { space } = desk.tab.database;
  fillUp(desk);
  await desk.tab.append([received(at(1))]);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  Object.assign(desk.disk, { hasSpace: () => promise });
  void space.retry();
  const late = desk.tab.append([received(at(2))]);
  desk.tab.close();
  resolve(false);
  expect((await late).ok).toBe(false);
  expect(space.view.held).toEqual([]);
});

describe('a store that the browser closed', () => {
  it('reopens with all its data if it was closed for another reason', async () => {
    const { tab } = await openOnDisk();
    await tab.append([queued('a')]);
    closeForced(tab.database.backendDB());
    expect(await tab.append([queued('b')])).toEqual({ ok: true, value: 1 });
    const unsent = await tab.listUnsent();
    expect(unsent.ok && unsent.value.map(({ id }) => id)).toEqual(['a', 'b']);
    tab.close();
  });

  it('is lost if it was closed because it was cleared', async () => {
    const { tab, device } = await openOnDisk();
    await tab.append([queued('a')]);
    let losses = 0;
    tab.onLost(() => (losses += 1));
    const connection = tab.database.backendDB();
    tab.database.close({ disableAutoOpen: false });
    await new Dexie(toUserDatabaseName('u_me'), device.options.indexedDB).delete();
    closeForced(connection);
    await untilPasses(() => expect(losses).toBe(1));
    expect(tab.database.isEnded).toBe(true);
  });
});

describe('a quota', () => {
  /** Refuses every write until `stop` of the result is called. */
  const refuseWrites = (tab: UserStore): (() => void) => {
    const refuse = (): never => {
      throw Object.assign(new Error('over'), { name: 'QuotaExceededError' });
    };
    const tables = [tab.database.log, tab.database.entries, tab.database.meta];
    for (const table of tables) table.hook('creating', refuse);
    return () => {
      for (const table of tables) table.hook('creating').unsubscribe(refuse);
    };
  };

  it('leaves the store open for reading, and new messages are shown from memory', async () => {
    const { tab, state } = await openOnDisk();
    await tab.append([queued('before')]);
    const stop = refuseWrites(tab);
    expect(await tab.append([received(at(1))])).toEqual(FULL);
    expect(tab.database.space.view).toMatchObject({ isFull: true, isClosed: false });
    expect(tab.database.space.view.held).toHaveLength(1);
    expect((await tab.listUnsent()).ok).toBe(true);
    expect(state.isFlagged).toBe(false);
    stop();
    await untilPasses(() => expect(tab.database.space.view.isFull).toBe(false));
    tab.close();
  });

  it('limits the messages in memory to the newest, and reports the omission', async () => {
    const { tab } = await openOnDisk();
    refuseWrites(tab);
    const facts = Array.from({ length: HELD_MESSAGES_MAX }, (_, n) => received(at(n)));
    await tab.append(facts);
    expect(tab.database.space.view.isCut).toBe(false);
    await tab.append([received(at(HELD_MESSAGES_MAX))]);
    const { held, isCut } = tab.database.space.view;
    expect([held.length, held[0]?.timetoken, isCut]).toEqual([HELD_MESSAGES_MAX, at(1), true]);
    tab.close();
  });
});
