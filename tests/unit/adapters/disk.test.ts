import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { createDisk } from '#src/adapters/browser/disk.ts';

let stored: Map<string, string>;
let guards: Set<string> | undefined;

/**
 * The parts of browser storage that the adapter uses (Web Storage and Service Workers
 * specifications).
 */
beforeEach(() => {
  stored = new Map();
  guards = undefined;
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
  vi.stubGlobal('caches', {
    has: async () => guards !== undefined,
    match: async (url: string) => (guards?.has(url) ? new Response() : undefined),
    open: async () => {
      const entries = (guards ??= new Set());
      return {
        put: async (url: string) => void entries.add(url),
        delete: async (url: string) => entries.delete(url),
      };
    },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const waitForGuards = (count: number) => vi.waitFor(() => expect(guards?.size).toBe(count));

test('a first start has no flag, and places a guard', async () => {
  expect(await createDisk().wasFull()).toBe(false);
  await waitForGuards(1);
  expect(await createDisk().wasFull()).toBe(false);
});

test('a full disk is detected even if localStorage was not written, or emptied', async () => {
  await createDisk().wasFull();
  await waitForGuards(1);
  createDisk().flag();
  await waitForGuards(0);
  stored.clear();
  expect(await createDisk().wasFull()).toBe(true);
  createDisk().unflag();
  await waitForGuards(1);
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

test('a slow browser is awaited', async () => {
  vi.useFakeTimers();
  const answer = Promise.withResolvers<Response>();
  vi.stubGlobal('caches', { has: async () => true, match: () => answer.promise });
  const wasFull = createDisk().wasFull();
  await vi.advanceTimersByTimeAsync(3000);
  answer.resolve(new Response());
  expect(await wasFull).toBe(false);
});

test('a browser that does not answer may be on a full disk', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('caches', { has: () => new Promise(() => undefined) });
  const wasFull = createDisk().wasFull();
  await vi.runAllTimersAsync();
  expect(await wasFull).toBe(true);
});

test('a cache that cannot be read may have lost its guard', async () => {
  vi.stubGlobal('caches', {
    has: async () => true,
    match: () => Promise.reject(new DOMException('unreadable', 'UnknownError')),
  });
  expect(await createDisk().wasFull()).toBe(true);
});

test('a browser that denies its caches has no guard', async () => {
  vi.stubGlobal('caches', { has: () => Promise.reject(new Error('denied')) });
  expect(await createDisk().wasFull()).toBe(false);
});
