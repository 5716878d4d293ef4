import 'fake-indexeddb/auto';

import { expect, it, vi } from 'vitest';

import { createDevice } from '#tests/support/device.ts';
import { at, queued, received, ROOM } from '#tests/support/facts.ts';

vi.mock('#db/log/replay.ts', () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});

it('messages are stored even if an unreadable row cannot be rebuilt', async () => {
  const tab = await createDevice().openTab();
  await tab.append([received(at(1))]);
  await tab.database.activity.update(ROOM, { newest: 'x' as never });
  expect(await tab.append([received(at(3))])).toEqual({ ok: true, value: 1 });
  expect(await tab.append([received(at(4)), queued('mine')])).toEqual({ ok: true, value: 2 });
});

vi.mock('#db/log/append-on-full-disk.ts', () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});

it('a full disk is reported even if the part that makes space does not load', async () => {
  const tab = await createDevice().openTab();
  vi.spyOn(tab.database, 'transaction').mockRejectedValue(
    Object.assign(new Error('full'), { name: 'QuotaExceededError' }),
  );
  expect(await tab.append([received(at(1))])).toMatchObject({
    ok: false,
    error: { kind: 'quota' },
  });
});
