import 'fake-indexeddb/auto';

import { afterEach, describe, expect, it, vi } from 'vitest';

import type { UserStore } from '#db/user/user-store.ts';
import type { Fact } from '#domain/events.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, ME, page, published, queued, received, ROOM } from '#tests/support/facts.ts';

const SOURCE_REQUESTS = [
  'get',
  'getKey',
  'getAll',
  'getAllKeys',
  'count',
  'openCursor',
  'openKeyCursor',
];
const STORE_REQUESTS = [...SOURCE_REQUESTS, 'add', 'put', 'delete', 'clear'];
const CURSOR_REQUESTS = ['continue', 'continuePrimaryKey', 'advance', 'update', 'delete'];

const PLACES: readonly (readonly [object, readonly string[]])[] = [
  [IDBObjectStore.prototype, STORE_REQUESTS],
  [IDBIndex.prototype, SOURCE_REQUESTS],
  [IDBCursor.prototype, CURSOR_REQUESTS],
];

afterEach(() => void vi.restoreAllMocks());

/**
 * Requests to IndexedDB, and round trips: a request made after an answer belongs to the next trip,
 * because it may depend on that answer.
 */
const countRequests = async (work: () => Promise<unknown>) => {
  const cost = { requests: 0, trips: 0 };
  let isAnswered = true;
  for (const [place, names] of PLACES) {
    for (const name of names) {
      const request: unknown = Reflect.get(place, name);
      if (typeof request !== 'function') continue;
      vi.spyOn(place as Record<string, () => unknown>, name).mockImplementation(function counted(
        this: unknown,
        ...args: readonly unknown[]
      ) {
        if (isAnswered) cost.trips += 1;
        isAnswered = false;
        cost.requests += 1;
        const made: unknown = Reflect.apply(request, this, args);
        const answered = () => (isAnswered = true);
        const source = made instanceof IDBRequest ? made : (this as IDBCursor).request;
        source.addEventListener('success', answered, { once: true });
        source.addEventListener('error', answered, { once: true });
        return made;
      });
    }
  }
  await work();
  vi.restoreAllMocks();
  return cost;
};

const FILLED = 1000;
const BURST = 500;

/** `count` messages after the first `FILLED` ones. */
const burst = (count: number, over: Parameters<typeof received>[1] = {}): readonly Fact[] =>
  Array.from({ length: count }, (_, n) => received(at(FILLED + n), { id: `m${n}`, ...over }));

const openEmpty = async (): Promise<UserStore> => {
  const tab = await createDevice().openTab();
  await tab.takeFence('tab', 1);
  return tab;
};

const openFilled = async (): Promise<UserStore> => {
  const tab = await openEmpty();
  await tab.append([
    ...Array.from({ length: FILLED }, (_, n) => received(at(n), { id: `old${n}` })),
    page(at(0), at(FILLED - 1)),
    ...Array.from({ length: 20 }, (_, n) => queued(`waiting${n}`)),
  ]);
  return tab;
};

/** The deletion flag, the engine and the leader are read in every append. */
const GUARDS = 3;

describe.each([
  ['an empty', openEmpty],
  ['a filled', openFilled],
])('an append to %s store', (_, open) => {
  const costOf = async (facts: readonly Fact[], fence?: number) => {
    const tab = await open();
    const cost = await countRequests(() => tab.append(facts, fence));
    tab.close();
    return cost;
  };

  it('takes three requests for an outgoing message, in two trips', async () => {
    // The thread's row, the log, the outbox.
    expect(await costOf([queued('mine')])).toEqual({ requests: GUARDS + 3, trips: 2 });
  });

  it('takes one request for a message of someone else, in two trips', async () => {
    // The entry; the same id in the outbox; the activity of the room, read and written.
    expect(await costOf(burst(1), 1)).toEqual({ requests: GUARDS + 1 + 3, trips: 2 });
  });

  it('takes one request for each of many messages, in two trips', async () => {
    // The keys of the outbox once; the activity of the room, read and written.
    expect(await costOf(burst(BURST), 1)).toEqual({ requests: GUARDS + BURST + 3, trips: 2 });
  });

  it('takes two requests for a known message, in two trips', async () => {
    const tab = await open();
    await tab.append(burst(BURST), 1);
    const cost = await countRequests(() => tab.append(burst(BURST, { via: 'history' }), 1));
    expect(cost).toEqual({ requests: GUARDS + 2 * BURST + 2, trips: 2 });
  });

  it('takes one more trip for outgoing messages that return before they are acknowledged', async () => {
    const tab = await open();
    await tab.append([queued('a'), queued('b')]);
    const echoes = ['a', 'b', 'c'].map((id, n) => received(at(FILLED + n), { publisher: ME, id }));
    const cost = await countRequests(() => tab.append(echoes, 1));
    // Two of the three ids are in the outbox; they are read and deleted.
    expect(cost).toEqual({ requests: GUARDS + 3 + 3 + 2 * 2, trips: 3 });
    expect(await tab.findNextQueued(ROOM)).not.toMatchObject({ value: { id: 'a' } });
  });

  it('reads only the row and the item for an acknowledgement', async () => {
    const tab = await open();
    await tab.append([queued('a')]);
    const cost = await countRequests(() => tab.append([published('a', at(FILLED))], 1));
    // The row and the item are read; the log, the row and the item are written.
    expect(cost).toEqual({ requests: GUARDS + 5, trips: 2 });
  });
});
