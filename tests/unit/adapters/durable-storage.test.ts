import { afterEach, expect, test, vi } from 'vitest';

import { requestDurability } from '#src/adapters/browser/durable-storage.ts';

afterEach(() => void vi.unstubAllGlobals());

/** A browser that keeps the data once it is asked to. */
const stubBrowser = (persisted: boolean) => {
  const persist = vi.fn(async () => true);
  vi.stubGlobal('navigator', { storage: { persisted: async () => persisted, persist } });
  const page = new EventTarget();
  vi.stubGlobal('window', page);
  return { persist, page };
};

test('the browser is asked only when somebody uses the page', async () => {
  const { persist, page } = stubBrowser(false);
  const answer = requestDurability();
  await new Promise((resolve) => setImmediate(resolve));
  expect(persist).not.toHaveBeenCalled();
  page.dispatchEvent(new Event('keydown'));
  expect(await answer).toBe(true);
  expect(persist).toHaveBeenCalledOnce();
});

test('a browser that keeps the data already is not asked', async () => {
  const { persist } = stubBrowser(true);
  expect(await requestDurability()).toBe(true);
  expect(persist).not.toHaveBeenCalled();
});
