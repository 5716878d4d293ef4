import { expect, test, vi } from 'vitest';

import { createAdopt } from '#src/boot/load-engine.ts';
import { createDevice } from '#tests/support/device.ts';

test('a store that could not be turned to the engine is turned later, and says so until then', async () => {
  const device = createDevice();
  const tab = await device.openTab();
  await tab.takeFence('tab-1', 1);
  const adopt = createAdopt('hosted a', tab.database.clientLog, () => undefined);
  vi.spyOn(tab.database, 'transaction').mockRejectedValueOnce(new Error('disk'));
  expect(await adopt(tab)).toMatchObject({ ok: false });
  expect(device.lines.map(({ code }) => code)).toEqual(['ENGINE_NOT_ADOPTED']);
  await expect
    .poll(async () => (await tab.database.meta.get('engine')) ?? 'none')
    .toMatchObject({ name: 'hosted a' });
  expect(await tab.beat(1, 2, { kind: 'online' })).toMatchObject({ ok: true });
  tab.close();
});

test('nothing of a closed store is watched any more', async () => {
  const tab = await createDevice().openTab();
  const { database } = tab;
  let open = 0;
  const onEnd = database.onEnd.bind(database);
  database.onEnd = (listener) => {
    open += 1;
    return onEnd(() => {
      open -= 1;
      listener();
    });
  };
  await createAdopt('embedded', database.clientLog, () => undefined)(tab);
  expect(open).toBe(1);
  tab.close();
  expect(open).toBe(0);
});
