import { afterEach, expect, it, vi } from 'vitest';

import { createDevice } from '#tests/support/device.ts';
import { at, queued, received } from '#tests/support/facts.ts';

afterEach(() => void vi.restoreAllMocks());

/** A tab, and the durability of each writing transaction in IndexedDB. */
const openWatched = async () => {
  const device = createDevice();
  const first = await device.openTab();
  const asked = vi.spyOn(Object.getPrototypeOf(first.database.backendDB()), 'transaction');
  const tab = await device.openTab();
  const watch = async (work: () => Promise<unknown>): Promise<readonly unknown[]> => {
    asked.mockClear();
    await work();
    return asked.mock.calls
      .filter(([, mode]) => mode === 'readwrite')
      .map(([, , options]) => options);
  };
  return { tab, watch };
};

const STRICT = [{ durability: 'strict' }];

it('waits for the disk for everything but heartbeats', async () => {
  const { tab, watch } = await openWatched();
  expect(await watch(() => tab.takeFence('tab-1', 1))).toEqual(STRICT);
  const beat = () => tab.beat(1, 2, { kind: 'online' }, at(1));
  expect(await watch(beat)).toEqual([{ durability: 'relaxed' }]);
  const append = () => tab.append([queued('mine'), received(at(1))], 1);
  expect(await watch(append)).toEqual(STRICT);
  expect(await watch(() => tab.saveTeams([], 1))).toEqual(STRICT);
  expect(await watch(() => tab.keepKeys({ keys: [{}], storeIds: ['store'] }))).toEqual(STRICT);
});

it('still rejects a heartbeat of a replaced leader', async () => {
  const device = createDevice();
  const [old, next] = [await device.openTab(), await device.openTab()];
  await old.takeFence('tab-1', 1);
  await old.beat(1, 2, { kind: 'online' });
  await next.takeFence('tab-2', 3);
  expect(await old.beat(1, 4, { kind: 'online' })).toEqual({
    ok: false,
    error: { kind: 'fenced' },
  });
  expect(await next.beat(2, 5, { kind: 'online' })).toMatchObject({ ok: true });
});
