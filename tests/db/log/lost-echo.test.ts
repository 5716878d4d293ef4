import 'fake-indexeddb/auto';

import { expect, it } from 'vitest';

import { createDevice } from '#tests/support/device.ts';
import { at, ME, published, queued, received, ROOM } from '#tests/support/facts.ts';

const OTHER = 'c_002/team';

/** A tab whose device kept the acknowledgement of a message, but not its echo. */
const openAfterCut = async () => {
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
  return tab;
};

const DONE = { ok: true, value: undefined };

it('an item with a stored acknowledgement leaves the outbox when it is acknowledged again', async () => {
  const tab = await openAfterCut();
  await tab.append([published('mine', at(5))]);
  expect(await tab.findNextQueued(ROOM)).toEqual(DONE);
});

it('the same holds beside an acknowledgement that is new', async () => {
  const tab = await openAfterCut();
  await tab.append([{ ...queued('other'), room: OTHER }]);
  await tab.append([published('mine', at(5)), { ...published('other', at(6)), room: OTHER }]);
  expect(await tab.findNextQueued(ROOM)).toEqual(DONE);
  expect(await tab.findNextQueued(OTHER)).toEqual(DONE);
});
