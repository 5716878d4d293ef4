// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';

import { createStoreFlags } from '#src/adapters/browser/store-flags.ts';
import { loadDeskPart } from '#src/boot/load-desk-part.ts';

afterEach(() => localStorage.clear());

const createPart = () => vi.fn<() => Promise<string>>(async () => 'part');

test('with an open store on this device, a part loads before it is needed, once', async () => {
  createStoreFlags().set('store-1', 'open');
  const request = createPart();
  const load = loadDeskPart(request);
  expect(request).toHaveBeenCalledOnce();
  expect(await load()).toBe('part');
  expect(request).toHaveBeenCalledOnce();
});

test('without an open store, a part loads when it is needed', async () => {
  const request = createPart();
  const load = loadDeskPart(request);
  expect(request).not.toHaveBeenCalled();
  expect(await load()).toBe('part');
});

test('a part that could not be loaded early is requested again when it is needed', async () => {
  createStoreFlags().set('store-1', 'unsent');
  const request = createPart().mockRejectedValueOnce(new TypeError('offline'));
  const load = loadDeskPart(request);
  await expect(request.mock.results[0]?.value).rejects.toThrow('offline');
  expect(await load()).toBe('part');
});
