import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { createDisk } from '#src/adapters/browser/disk.ts';

const KEY = 'replay-desk-disk';

let stored: Map<string, string>;
let guards: Set<string>;

/**
 * The parts of browser storage that the adapter uses (Web Storage and Service Workers
 * specifications).
 */
beforeEach(() => {
  stored = new Map();
  guards = new Set();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
  vi.stubGlobal('caches', {
    match: async (url: string) => (guards.has(url) ? new Response() : undefined),
    open: async () => ({
      put: async (url: string) => void guards.add(url),
      delete: async (url: string) => guards.delete(url),
    }),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a first start has no flag, and places a guard', async () => {
  expect(await createDisk().wasFull()).toBe(false);
  await vi.waitFor(() => expect([guards.size, stored.get(KEY)]).toEqual([1, 'guarded']));
});

test('a full disk is detected even if its flag in localStorage was not written', async () => {
  await createDisk().wasFull();
  await vi.waitFor(() => expect(stored.get(KEY)).toBe('guarded'));
  createDisk().flag();
  await vi.waitFor(() => expect(guards.size).toBe(0));
  stored.set(KEY, 'guarded');
  expect(await createDisk().wasFull()).toBe(true);
  createDisk().unflag();
  await vi.waitFor(() => expect(guards.size).toBe(1));
  expect(await createDisk().wasFull()).toBe(false);
});

test('without caches, as on plain http beyond loopback, the flag in localStorage counts', async () => {
  vi.stubGlobal('caches', undefined);
  expect(await createDisk().wasFull()).toBe(false);
  createDisk().flag();
  expect(await createDisk().wasFull()).toBe(true);
  createDisk().unflag();
  expect(await createDisk().wasFull()).toBe(false);
});

test('a slow browser is awaited: a database opened on a full disk would be deleted', async () => {
  vi.useFakeTimers();
  stored.set(KEY, 'guarded');
  const answer = Promise.withResolvers<undefined>();
  vi.stubGlobal('caches', { match: () => answer.promise });
  const wasFull = createDisk().wasFull();
  await vi.advanceTimersByTimeAsync(20_000);
  answer.resolve(undefined);
  expect(await wasFull).toBe(true);
});

test('a browser that never answers counts as one without a guard', async () => {
  vi.useFakeTimers();
  stored.set(KEY, 'guarded');
  vi.stubGlobal('caches', { match: () => new Promise(() => undefined) });
  const wasFull = createDisk().wasFull();
  await vi.runAllTimersAsync();
  expect(await wasFull).toBe(false);
});
