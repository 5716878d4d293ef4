// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { UserStore } from '#db/user/user-store.ts';
import { parseSearchQuery } from '#domain/text/search-query.ts';
import type { SearchRequest } from '#src/search/protocol.ts';
import { SearchClient } from '#src/search/search-client.ts';
import { createDevice } from '#tests/support/device.ts';

/** The messages stay in memory this long after the last search. */
const IDLE_MS = 180_000;

/** A worker as the page sees it; there are none here. It never answers. */
class Worker extends EventTarget {
  static running = 0;
  static last: Worker;
  readonly requests: SearchRequest[] = [];
  constructor() {
    super();
    Worker.running += 1;
    Worker.last = this;
  }
  postMessage(request: SearchRequest): void {
    this.requests.push(request);
  }
  terminate(): void {
    Worker.running -= 1;
  }
}

let store: UserStore;
let search: SearchClient;

beforeEach(async () => {
  vi.stubGlobal('Worker', Worker);
  store = await createDevice().openTab('u_1');
  search = new SearchClient(store.database);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  store.close();
  vi.unstubAllGlobals();
  expect(Worker.running).toBe(0);
});

const ask = (subscriberId: string): void =>
  search.search(subscriberId, parseSearchQuery('the', 0), 1, () => undefined);

test('messages stay in memory while any subscriber remains, regardless of which one left first', () => {
  ask('page');
  search.leave('page');
  search.leave('dashboard, which asked nothing');
  ask('palette');
  vi.advanceTimersByTime(2 * IDLE_MS);
  expect(Worker.running).toBe(1);
});

test('messages leave the memory a while after the last search', () => {
  ask('page');
  ask('palette');
  search.leave('page');
  vi.advanceTimersByTime(2 * IDLE_MS);
  expect(Worker.running).toBe(1);
  search.leave('palette');
  vi.advanceTimersByTime(IDLE_MS - 1);
  expect(Worker.running).toBe(1);
  vi.advanceTimersByTime(1);
  expect(Worker.running).toBe(0);
});

test('a worker that starts after a failure receives every open question once', () => {
  ask('dashboard');
  const log = vi.spyOn(store.database.clientLog, 'write');
  Worker.last.dispatchEvent(Object.assign(new Event('error'), { message: 'Script error.' }));
  expect(log.mock.calls).toEqual([['error', 'SEARCH_FAILED', { detail: 'Script error.' }]]);
  expect(Worker.running).toBe(0);
  ask('palette');
  vi.advanceTimersByTime(60_000);
  expect(Worker.running).toBe(1);
  const asked = Worker.last.requests.filter(({ kind }) => kind === 'search');
  expect(asked).toMatchObject([{ subscriberId: 'dashboard' }, { subscriberId: 'palette' }]);
});

test('no worker runs while the databases are closed for lack of space', () => {
  const { space } = store.database;
  ask('page');
  space.show({ isFull: true, isClosed: true });
  expect(Worker.running).toBe(0);
  ask('palette');
  vi.advanceTimersByTime(IDLE_MS);
  expect(Worker.running).toBe(0);
  space.show({ isFull: false, isClosed: false });
  expect(Worker.running).toBe(1);
  const asked = Worker.last.requests.filter(({ kind }) => kind === 'search');
  expect(asked).toMatchObject([{ subscriberId: 'page' }, { subscriberId: 'palette' }]);
});

test('a worker whose reads fail starts again after longer and longer pauses', () => {
  ask('page');
  const coverage = { messages: 0, since: undefined, isWhole: false };
  const started: number[] = [];
  for (let second = 0; second < 60; second += 1) {
    const { last } = Worker;
    if (Worker.running === 1) {
      const request = last.requests.find((one) => one.kind === 'search');
      if (request === undefined) throw new Error('nothing is searched');
      started.push(second);
      const { subscriberId, id } = request;
      const data = { kind: 'answer', subscriberId, id, hits: [], total: 0, coverage };
      last.dispatchEvent(new MessageEvent('message', { data }));
      last.dispatchEvent(new Event('error'));
    }
    vi.advanceTimersByTime(1000);
  }
  expect(started.length).toBeLessThan(10);
});
