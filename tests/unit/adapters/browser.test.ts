// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { createPageEnvironment } from '#src/adapters/browser/page-environment.ts';
import { createClientLog } from '#src/adapters/http/client-log.ts';
import { systemClock, systemIds, systemRandom } from '#src/adapters/browser/system.ts';
import { SERVER_PATHS } from '#src/sw/server-paths.ts';

const realError = console.error;
beforeEach(() => {
  console.error = () => undefined;
});
afterEach(() => {
  console.error = realError;
});

afterEach(() => {
  Reflect.deleteProperty(document, 'visibilityState');
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

const setVisibility = (state: DocumentVisibilityState) => {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
};

const showPage = (persisted: boolean) =>
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }));

test('environment reports network and visibility until unsubscribed', () => {
  const environment = createPageEnvironment(window);
  const reported: string[] = [];
  const stop = environment.watch((change) => reported.push(change));
  window.dispatchEvent(new Event('offline'));
  window.dispatchEvent(new Event('online'));
  setVisibility('hidden');
  expect(environment.isVisible()).toBe(false);
  setVisibility('visible');
  expect(environment.isVisible()).toBe(true);
  showPage(false);
  showPage(true);
  expect(reported).toEqual(['offline', 'online', 'hidden', 'shown', 'shown']);
  stop();
  window.dispatchEvent(new Event('offline'));
  setVisibility('hidden');
  showPage(true);
  expect(reported).toHaveLength(5);
});

/** A log whose beacons are recorded. */
const openLog = () => {
  const sent: URLSearchParams[] = [];
  let now = 1_000_000;
  const log = createClientLog({ now: () => now }, (url, body) => {
    expect(url).toBe('/api/auth/_log');
    return sent.push(body) > 0;
  });
  return { log, sent, pass: (ms: number) => (now += ms) };
};

test('a log line contains level, code and details', () => {
  const { log, sent } = openLog();
  log.write('error', 'CLIENT_FETCH_ERROR', { kind: 'timeout' });
  expect(Object.fromEntries(sent[0]!)).toEqual({
    level: 'error',
    code: 'CLIENT_FETCH_ERROR',
    details: '{"kind":"timeout"}',
  });
});

test('details are clipped, and may have any type', () => {
  const { log, sent } = openLog();
  const loop: Record<string, unknown> = {};
  loop['self'] = loop;
  log.write('error', 'LOOP', loop);
  log.write('error', 'LONG', { text: 'x'.repeat(100_000) });
  expect(sent.map((body) => body.get('details')?.length)).toEqual([2, 4000]);
});

test('a repeated fault causes no flood of requests', () => {
  const { log, sent, pass } = openLog();
  for (let line = 0; line < 500; line += 1) log.write('error', 'AGAIN', { line });
  expect(sent).toHaveLength(20);
  pass(60_000);
  log.write('error', 'LATER', {});
  expect(sent.at(-1)?.get('code')).toBe('LATER');
});

test('a beacon that cannot be sent is ignored', () => {
  const log = createClientLog(systemClock, () => {
    throw new TypeError('refused');
  });
  expect(() => log.write('error', 'ANY', {})).not.toThrow();
});

/** The time in a UUIDv7, ms since the epoch (RFC 9562, section 5.7). */
const toTime = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

test('ids are new UUIDv7 of rising times; random numbers are from 0 to below 1', () => {
  const ids = Array.from({ length: 1000 }, () => systemIds.next());
  expect(new Set(ids).size).toBe(1000);
  expect(ids.map(toTime)).toEqual(ids.map(toTime).toSorted((a, b) => a - b));
  expect(ids[0]).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  const drawn = Array.from({ length: 100 }, () => systemRandom.next());
  expect(drawn.every((value) => value >= 0 && value < 1)).toBe(true);
});

test('ids have the time of the clock, also after it was set back', async () => {
  const now = Date.parse('2026-11-30T12:00:00Z');
  vi.useFakeTimers({ now: now + 7_200_000 });
  // The module and its library remember the latest time.
  vi.resetModules();
  const { systemIds: fresh } = await import('#src/adapters/browser/system.ts');
  const ahead = fresh.next();
  vi.setSystemTime(now);
  const ids = [fresh.next(), fresh.next()];
  vi.useRealTimers();
  expect(ids.map(toTime)).toEqual([now, now]);
  expect(new Set([ahead, ...ids]).size).toBe(3);
});

test.each([
  ['/', false],
  ['/login?callbackUrl=%2Fchat.html', false],
  ['/chat/c_001/team', false],
  ['/chat/a.b/team', false],
  ['/apiary', false],
  ['/api', true],
  ['/api?x', true],
  ['/api/health', true],
  ['/assets/index-1.js', true],
  ['/sw.js', true],
  ['/manifest.webmanifest?x=1', true],
])('the path %s is the server’s: %s', (path, expected) => {
  expect(SERVER_PATHS.some((pattern) => pattern.test(path))).toBe(expected);
});
