// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { UserStore } from '#db/user/user-store.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { DraftKeeper } from '#src/drafts/draft-keeper.ts';
import { clearDrafts, putDrafts } from '#src/drafts/drafts.ts';

const ROOM = toRoomKey('c_1', 'team');
const FULL = fail({ kind: 'quota' } as const);

type Answer = Result<void, { readonly kind: 'quota' }>;

let writes: string[];
/** Ends the oldest pending write. */
let end: (answer: Answer) => Promise<void>;

const type = (text: string): void => {
  clearDrafts();
  putDrafts('u_1', new Map([[ROOM, text]]));
};

beforeEach(async () => {
  // Keepers of earlier tests listen to the same page.
  const own: string[] = [];
  writes = own;
  const waiting: ((answer: Answer) => void)[] = [];
  end = async (answer) => {
    waiting.shift()?.(answer);
    await vi.waitFor(() => undefined);
  };
  const store = {
    database: { isEnded: false },
    takeDrafts: () => Promise.resolve(ok(new Map())),
    saveDrafts: (_tab: string, drafts: ReadonlyMap<string, string>) => {
      own.push([...drafts.values()].join());
      return new Promise<Answer>((resolve) => void waiting.push(resolve));
    },
  } as unknown as UserStore;
  const keeper = new DraftKeeper({
    tabId: 'tab',
    openTabs: { list: () => Promise.resolve(new Set()) },
    clientLog: { write: () => undefined },
    openStore: () => Promise.resolve(ok(store)),
  });
  await keeper.openStore('u_1');
});
afterEach(() => clearDrafts());

test('text typed during a write is written after it, once, in its last form', async () => {
  type('a');
  const first = writes.length;
  type('ab');
  type('abc');
  expect(writes).toHaveLength(first);
  await end(ok(undefined));
  expect(writes.slice(first)).toEqual(['abc']);
  await end(ok(undefined));
  expect(writes.slice(first)).toEqual(['abc']);
});

test('a failed write prevents neither the next one nor the last attempt', async () => {
  type('a');
  const first = writes.length;
  type('ab');
  await end(FULL);
  expect(writes.slice(first)).toEqual(['ab']);
  await end(FULL);
  window.dispatchEvent(new Event('pagehide'));
  expect(writes.slice(first)).toEqual(['ab', 'ab']);
  await end(ok(undefined));
  window.dispatchEvent(new Event('pagehide'));
  expect(writes.slice(first)).toEqual(['ab', 'ab']);
});
