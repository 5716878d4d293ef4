import { IDBObjectStore } from 'fake-indexeddb';
import { afterEach, expect, it, vi } from 'vitest';

import { threadsOf } from '#db/read/threads.ts';
import { HISTORY_PAGE_SIZE } from '#domain/limits.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, received, ROOM } from '#tests/support/facts.ts';
import { untilPasses } from '#tests/support/wait-for.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it('a room that was left does not grow with received messages', async () => {
  const tab = await createDevice().openTab();
  const model = threadsOf(tab.database).open(ROOM);
  const leave = model.watch(() => undefined);
  await untilPasses(() => expect(model.get()).toEqual([]));
  leave();
  for (let n = 0; n < 200; n += 50) {
    await tab.append(
      Array.from({ length: 50 }, (_, i) => received(at(n + i), { id: `i${n + i}` })),
    );
  }
  const kept = threadsOf(tab.database).open(ROOM).get() ?? [];
  expect(kept.at(-1)?.key).toMatch(/i199$/);
  expect(kept.length).toBeLessThanOrEqual(3 * HISTORY_PAGE_SIZE);
  tab.close();
});

it('a room whose first read failed is read when it is opened', async () => {
  const tab = await createDevice().openTab();
  await tab.append([received(at(1))]);
  const index = vi.spyOn(IDBObjectStore.prototype, 'index').mockImplementation(() => {
    throw new DOMException('The read failed.', 'DataError');
  });
  const failed = vi.fn();
  const prepared = threadsOf(tab.database).open(ROOM);
  prepared.watch(failed)();
  await untilPasses(() => expect(index).toHaveBeenCalled());
  await new Promise((resolve) => setImmediate(resolve));
  index.mockRestore();
  const model = threadsOf(tab.database).open(ROOM);
  model.watch(() => undefined);
  await untilPasses(() => expect(model.get()).toHaveLength(1));
  tab.close();
});
