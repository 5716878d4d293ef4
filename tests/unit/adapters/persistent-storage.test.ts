import { afterEach, expect, test, vi } from 'vitest';

import { requestPersistentStorage } from '#src/adapters/browser/persistent-storage.ts';

afterEach(() => void vi.unstubAllGlobals());

/** A browser that grants persistent storage on request. */
const stubBrowser = (persisted: boolean) => {
  const persist = vi.fn(async () => true);
  vi.stubGlobal('navigator', { storage: { persisted: async () => persisted, persist } });
  const page = new EventTarget();
  vi.stubGlobal('window', page);
  return { persist, page };
};

test('the browser is asked only after a user gesture', async () => {
  const { persist, page } = stubBrowser(false);
  const answer = requestPersistentStorage();
  await new Promise((resolve) => setImmediate(resolve));
  expect(persist).not.toHaveBeenCalled();
  page.dispatchEvent(new Event('keydown'));
  expect(await answer).toBe(true);
  expect(persist).toHaveBeenCalledOnce();
});

test('a browser with persistent storage is not asked', async () => {
  const { persist } = stubBrowser(true);
  expect(await requestPersistentStorage()).toBe(true);
  expect(persist).not.toHaveBeenCalled();
});
