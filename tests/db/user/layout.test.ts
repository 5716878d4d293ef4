import 'fake-indexeddb/auto';

import { expect, test } from 'vitest';

import { areClientsWide, listVisited } from '#db/user/layout.ts';
import { META } from '#db/schema/tables.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { createDevice } from '#tests/support/device.ts';

const TEAM = toRoomKey('c_1', 'team');
const GENERAL = toRoomKey('c_1', 'general');

test('rooms are remembered once each, newest first, across a restart', async () => {
  const device = createDevice();
  const store = await device.openTab();
  expect(await listVisited(store.database)).toEqual([]);
  for (const room of [TEAM, GENERAL, GENERAL, TEAM]) await store.recordVisit(room);
  expect(await listVisited((await device.openTab()).database)).toEqual([TEAM, GENERAL]);
});

test('no more than 300 rooms are kept', async () => {
  const store = await createDevice().openTab();
  for (let index = 0; index < 310; index += 1)
    await store.recordVisit(toRoomKey(`c_${index}`, 'team'));
  const visited = await listVisited(store.database);
  expect(visited).toHaveLength(300);
  expect(visited[0]).toBe(toRoomKey('c_309', 'team'));
});

test('the column is collapsed first, then keeps its width', async () => {
  const device = createDevice();
  const store = await device.openTab();
  expect(await areClientsWide(store.database)).toBe(false);
  await store.saveClientsWide(true);
  expect(await areClientsWide((await device.openTab()).database)).toBe(true);
  await store.saveClientsWide(false);
  expect(await areClientsWide(store.database)).toBe(false);
});

test('rows of another shape are ignored', async () => {
  const store = await createDevice().openTab();
  await store.database.meta.bulkPut([
    { key: META.visited, rooms: ['nonsense', TEAM, 7], v: 1 } as never,
    { key: META.layout, v: 1 } as never,
  ]);
  expect(await listVisited(store.database)).toEqual([TEAM]);
  expect(await areClientsWide(store.database)).toBeFalsy();
  await store.database.meta.put({ key: META.visited, rooms: 'none', v: 1 } as never);
  expect(await listVisited(store.database)).toEqual([]);
});
