import { expect, it } from 'vitest';

import { bindReplicaToEngine } from '#db/user/bind-replica.ts';
import { rebuildProjections } from '#db/log/rebuild.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, page, queued, received, ROOM } from '#tests/support/facts.ts';

import { dumpProjections } from '../dump.ts';

const HOSTED = 'hosted sub-c-1';

const filled = async () => {
  const tab = await createDevice().openTab();
  await tab.append([received(at(1)), received(at(2)), page(at(1), at(2), true), queued('mine')]);
  return tab;
};

it('keeps the coverage while the engine is the same', async () => {
  const tab = await filled();
  expect(await bindReplicaToEngine(tab.database, 'embedded')).toBe(false);
  expect(await tab.findCoverage(ROOM)).toMatchObject({ value: { reachedStart: true } });
  expect(await bindReplicaToEngine(tab.database, HOSTED)).toBe(true);
  await tab.append([page(at(1), at(2), true)]);
  expect(await bindReplicaToEngine(tab.database, HOSTED)).toBe(false);
  expect(await tab.findCoverage(ROOM)).toMatchObject({ value: { reachedStart: true } });
});

it('clears the coverage of another engine, but neither messages nor the outbox', async () => {
  const tab = await filled();
  await bindReplicaToEngine(tab.database, HOSTED);
  expect(await tab.findCoverage(ROOM)).toEqual({ ok: true, value: undefined });
  expect(await tab.database.entries.count()).toBe(2);
  expect(await tab.findNextQueued(ROOM)).toMatchObject({ value: { id: 'mine' } });
  const before = await dumpProjections(tab.database);
  await rebuildProjections(tab.database);
  expect(await dumpProjections(tab.database)).toEqual(before);
});

it('clears it again on the way back', async () => {
  const tab = await filled();
  await bindReplicaToEngine(tab.database, HOSTED);
  await tab.append([page(at(1), at(2), true)]);
  await bindReplicaToEngine(tab.database, 'embedded');
  expect(await tab.findCoverage(ROOM)).toEqual({ ok: true, value: undefined });
});

it('has nothing to clear in a new store', async () => {
  const tab = await createDevice().openTab();
  expect(await bindReplicaToEngine(tab.database, HOSTED)).toBe(false);
  expect(await tab.database.meta.get('engine')).toMatchObject({ name: HOSTED });
});

it('clears the stream position of another engine', async () => {
  const tab = await filled();
  const fence = await tab.takeFence('tab', 1);
  if (!fence.ok) throw new Error('no fence');
  await tab.writeHeartbeat(fence.value, 2, { kind: 'online' }, at(9));
  await bindReplicaToEngine(tab.database, 'embedded');
  expect(await tab.findCursor()).toEqual({ ok: true, value: at(9) });
  await tab.database.coverage.clear();
  expect(await bindReplicaToEngine(tab.database, HOSTED)).toBe(true);
  expect(await tab.findCursor()).toEqual({ ok: true, value: undefined });
  expect(await tab.writeHeartbeat(fence.value, 3, { kind: 'online' })).toMatchObject({ ok: true });
});

it('rejects entries of the old engine from a tab that still uses it', async () => {
  const device = createDevice();
  const [old, next] = [await device.openTab(), await device.openTab()];
  const fence = await old.takeFence('old', 1);
  if (!fence.ok) throw new Error('no fence');
  old.database.engine = 'embedded';
  await bindReplicaToEngine(next.database, HOSTED);
  const refused = { ok: false, error: { kind: 'storage' } };
  const read = [received(at(1)), page(at(1), at(1), true)];
  expect(await old.append(read)).toMatchObject(refused);
  const { room, timetoken, publisher, via } = received(at(2));
  const raw = { type: 'v1.UnreadableReceived', room, timetoken, publisher, via, raw: '1' } as const;
  expect(await old.append([raw])).toMatchObject(refused);
  expect(await old.append(read, fence.value)).toMatchObject(refused);
  expect(await old.writeHeartbeat(fence.value, 2, { kind: 'online' }, at(9))).toMatchObject(
    refused,
  );
  expect(await next.findCoverage(ROOM)).toEqual({ ok: true, value: undefined });
  expect(await next.findCursor()).toEqual({ ok: true, value: undefined });
  // Messages written there are still accepted.
  expect(await old.append([queued('mine')])).toMatchObject({ ok: true });
  expect(await next.append(read)).toMatchObject({ ok: true });
});
