import 'fake-indexeddb/auto';

import { expect, it } from 'vitest';

import { createDevice } from '#tests/support/device.ts';
import { at, ME, published, queued, received, ROOM } from '#tests/support/facts.ts';

it('an item with a stored acknowledgement leaves the outbox when it is acknowledged again', async () => {
  const device = createDevice();
  const first = await device.openTab();
  await first.append([queued('mine')]);
  const [item] = await first.database.outbox.toArray();
  await first.append([received(at(5), { publisher: ME, id: 'mine' })]);
  await first.append([published('mine', at(5))]);
  // A power cut may lose the relaxed echo and keep the strict acknowledgement after it.
  const db = first.database;
  await db.entries.clear();
  if (item !== undefined) await db.outbox.put(item);
  first.close();
  const tab = await device.openTab();
  const before = await tab.findNextQueued(ROOM);
  expect(before.ok && before.value?.id).toBe('mine');
  await tab.append([published('mine', at(5))]);
  expect(await tab.findNextQueued(ROOM)).toEqual({ ok: true, value: undefined });
});
