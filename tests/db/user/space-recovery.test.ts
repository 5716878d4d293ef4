import 'fake-indexeddb/auto';

import { describe, expect, it, vi } from 'vitest';

import { Space } from '#db/schema/space.ts';
import { openUserStore } from '#db/user/user-store.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, queued, received } from '#tests/support/facts.ts';
import { untilPasses } from '#tests/support/wait-for.ts';

import { closeForced, fillUp, FULL, openOnDisk } from './open-on-disk.ts';

it('closing another store keeps the messages on the screen', async () => {
  const desk = await openOnDisk();
  const { space } = desk.tab.database;
  const other = await openUserStore('u_other', { ...desk.device.options, space });
  fillUp(desk);
  await desk.tab.append([received(at(1))]);
  if (other.ok) other.value.close();
  expect(space.view.held).toHaveLength(1);
  desk.tab.close();
  expect(space.view.held).toEqual([]);
});

describe('a check of the disk', () => {
  it('is repeated if it fails', async () => {
    const desk = await openOnDisk();
    let checks = 0;
    Object.assign(desk.disk, {
      hasSpace: () => {
        checks += 1;
        return checks === 1 ? Promise.reject(new Error('no answer')) : Promise.resolve(true);
      },
    });
    fillUp(desk);
    expect(await desk.tab.append([received(at(1))])).toEqual(FULL);
    await untilPasses(() => expect(desk.tab.database.space.view.isFull).toBe(false));
    expect(await desk.tab.append([queued('after')])).toEqual({ ok: true, value: 1 });
    desk.tab.close();
  });

  it('is made once its code loads, after a load that failed', async () => {
    const device = createDevice();
    let loads = 0;
    const space = new Space(undefined, async () => {
      loads += 1;
      if (loads === 1) throw new TypeError('Failed to fetch dynamically imported module');
      return (await import('#db/schema/space-recovery.ts')).SpaceRecovery;
    });
    const opened = await openUserStore('u_me', { ...device.options, space });
    await space.refuse();
    expect(space.view.isFull).toBe(true);
    await untilPasses(() => expect(space.view.isFull).toBe(false));
    expect(loads).toBe(2);
    if (opened.ok) opened.value.close();
  });
});

it('a closed database is full, not broken, if the code that reopens it does not load', async () => {
  const desk = await openOnDisk();
  desk.tab.close();
  desk.state.isFlagged = true;
  const space = new Space(desk.disk, () =>
    Promise.reject(new TypeError('Failed to fetch dynamically imported module')),
  );
  const opened = await openUserStore('u_me', { ...desk.device.options, space });
  expect(opened).toMatchObject(FULL);
});

it('a disk stays flagged as full while no database is open whose log could be renewed', async () => {
  const desk = await openOnDisk();
  const { space } = desk.tab.database;
  fillUp(desk);
  expect(await desk.tab.append([received(at(1))])).toEqual(FULL);
  desk.tab.close();
  desk.state.isFull = false;
  await space.retry();
  expect([desk.state.isFlagged, space.view.isClosed]).toEqual([true, true]);
});

it('a log that was not renewed stays closed until it is', async () => {
  const desk = await openOnDisk();
  let losses = 0;
  desk.tab.onLost(() => (losses += 1));
  await desk.tab.append([queued('before')]);
  fillUp(desk);
  await desk.tab.append([received(at(1))]);
  const closed = Object.assign(new Error('The browser closed it.'), { name: 'AbortError' });
  vi.spyOn(desk.device.factory, 'deleteDatabase').mockImplementationOnce(() => {
    throw closed;
  });
  desk.state.isFull = false;
  // Another tab, which found space, has removed the flag.
  desk.state.isFlagged = false;
  await desk.tab.database.space.retry();
  expect([losses, desk.state.isFlagged]).toEqual([0, true]);
  expect(desk.tab.database.space.view).toMatchObject({ isFull: true, isClosed: true });
  expect(await desk.tab.append([queued('after')])).toEqual({ ok: true, value: 1 });
  const unsent = await desk.tab.listUnsent();
  expect(unsent.ok && unsent.value.map(({ id }) => id)).toEqual(['before', 'after']);
  expect(desk.state.isFlagged).toBe(false);
  desk.tab.close();
});

it('a store that the browser closes while several parts write accepts all of them', async () => {
  const { tab } = await openOnDisk();
  await tab.append([queued('a')]);
  const writing = ['b', 'c', 'd', 'e'].map((id) => tab.append([queued(id)]));
  closeForced(tab.database.backendDB());
  expect(await Promise.all(writing)).toEqual(writing.map(() => ({ ok: true, value: 1 })));
  tab.close();
});
