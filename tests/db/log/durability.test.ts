import { afterEach, expect, it, vi } from 'vitest';

import { createDevice } from '#tests/support/device.ts';
import {
  at,
  attempted,
  discarded,
  failed,
  ME,
  page,
  published,
  queued,
  received,
  retried,
  ROOM,
  roomRead,
} from '#tests/support/facts.ts';

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

const RELAXED = [{ durability: 'relaxed' }];

it('a commit waits for the disk if its data exists only on this device', async () => {
  const { tab, watch } = await openWatched();
  expect(await watch(() => tab.takeFence('tab-1', 1))).toEqual(STRICT);
  for (const fact of [
    queued('mine'),
    attempted('mine', at(1)),
    failed('mine', 1),
    retried('mine', 2),
    published('mine', at(2)),
    queued('other'),
    discarded('other', 3),
    // From the user log, which is not read again.
    roomRead(at(2)),
  ]) {
    expect(await watch(() => tab.append([fact, received(at(1))], 1))).toEqual(STRICT);
  }
  expect(await watch(() => tab.saveTeams([], 1))).toEqual(STRICT);
  expect(await watch(() => tab.saveKeys({ keys: [{}], storeIds: ['store'] }))).toEqual(STRICT);
});

it('a commit does not wait for refetchable data, read positions, heartbeats and preferences', async () => {
  const { tab, watch } = await openWatched();
  await tab.takeFence('tab-1', 1);
  await tab.append([queued('mine')]);
  const entries = [received(at(1)), received(at(2), { publisher: ME, id: 'mine' })];
  expect(await watch(() => tab.append([...entries, page(at(1), at(2))], 1))).toEqual(RELAXED);
  expect(await watch(() => tab.writeHeartbeat(1, 2, { kind: 'online' }, at(1)))).toEqual(RELAXED);
  expect(await watch(() => tab.append([roomRead(at(1))]))).toEqual(RELAXED);
  const opening = { after: at(1), resumes: false };
  expect(await watch(() => tab.openSegment(1, opening))).toEqual(RELAXED);
  expect(await watch(() => tab.joinSegments(1, { after: at(0), to: at(1) }))).toEqual(RELAXED);
  expect(await watch(() => tab.closeSegment(1, at(2)))).toEqual(RELAXED);
  expect(await watch(() => tab.recordVisit(ROOM))).toEqual(RELAXED);
  expect(await watch(() => tab.saveClientsWide(true))).toEqual(RELAXED);
});

it('a relaxed heartbeat of a replaced leader is still rejected', async () => {
  const device = createDevice();
  const [old, next] = [await device.openTab(), await device.openTab()];
  await old.takeFence('tab-1', 1);
  await old.writeHeartbeat(1, 2, { kind: 'online' });
  await next.takeFence('tab-2', 3);
  expect(await old.writeHeartbeat(1, 4, { kind: 'online' })).toEqual({
    ok: false,
    error: { kind: 'fenced' },
  });
  expect(await next.writeHeartbeat(2, 5, { kind: 'online' })).toMatchObject({ ok: true });
});
