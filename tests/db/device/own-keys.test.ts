import { expect, it, vi } from 'vitest';

import { createDevice } from '#tests/support/device.ts';

import { abortForQuota } from '../user/open-on-disk.ts';

it('keys that are stored already are accepted on a full disk, too', async () => {
  const tab = await createDevice().openTab();
  const toOwn = (id: string) => ({ keys: [{}], storeIds: [id] });
  await tab.saveKeys(toOwn('known'));
  const put = Reflect.get(IDBObjectStore.prototype, 'put');
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
    this: IDBObjectStore,
    ...row
  ) {
    abortForQuota();
    return Reflect.apply(put, this, row);
  });
  const known = await tab.saveKeys(toOwn('known'));
  const changed = await tab.saveKeys(toOwn('changed'));
  vi.restoreAllMocks();
  expect(known).toEqual({ ok: true, value: { isNew: false, flag: undefined } });
  expect(changed).toMatchObject({ error: { kind: 'quota' } });
});
