// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { AppError } from '#domain/errors.ts';
import type { Realtime } from '#domain/ports/network.ts';
import { createEngineCheck, watchStreamEnds } from '#src/boot/load-engine.ts';

const now = { isOther: true, isReady: true };
let asked: number;
let reloads: number;
const check = createEngineCheck({
  isOther: () => {
    asked += 1;
    return Promise.resolve(now.isOther);
  },
  prepareReload: () => Promise.resolve(now.isReady),
});

beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
  Object.assign(now, { isOther: true, isReady: true });
  [asked, reloads] = [0, 0];
  vi.spyOn(window.location, 'reload').mockImplementation(() => void (reloads += 1));
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('a page reloads for another engine, once a minute at most', async () => {
  await check();
  await check();
  expect([asked, reloads]).toEqual([1, 1]);
  vi.advanceTimersByTime(60_000);
  await check();
  expect([asked, reloads]).toEqual([2, 2]);
});

test('nothing is reloaded for the same engine, nor what would lose something', async () => {
  now.isOther = false;
  await check();
  Object.assign(now, { isOther: true, isReady: false });
  await check();
  expect([asked, reloads]).toEqual([2, 0]);
  now.isReady = true;
  await check();
  expect(reloads).toBe(1);
});

test.each<[AppError, number]>([
  [{ kind: 'rejected', status: 404 }, 1],
  [{ kind: 'malformed', detail: 'token' }, 1],
  [{ kind: 'forbidden' }, 1],
  [{ kind: 'unreachable' }, 0],
  [{ kind: 'timeout' }, 0],
  [{ kind: 'server', status: 503 }, 0],
  [{ kind: 'unauthenticated' }, 0],
])('a stream that ends with %o is strange %i times', (error, times) => {
  const onStrange = vi.fn<() => void>();
  const onSignal = vi.fn<() => void>();
  const engine = watchStreamEnds(
    {
      openStream: (_cursor, tell) => {
        tell({ type: 'beat', cursor: '17000000000000000' as never });
        tell({ type: 'ended', error });
        return () => undefined;
      },
    } as Realtime,
    onStrange,
  );
  engine.openStream(undefined, onSignal);
  expect(onStrange).toHaveBeenCalledTimes(times);
  expect(onSignal).toHaveBeenCalledTimes(2);
});
