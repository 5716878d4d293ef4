// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { UserStore } from '#db/user/user-store.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import { type RoomKey, toRoomKey } from '#domain/rooms.ts';
import { DraftKeeper } from '#src/drafts/draft-keeper.ts';
import { clearDrafts, getDraft, putDrafts, setDraft, toDraftKey } from '#src/drafts/drafts.ts';

const ROOM = toRoomKey('c_1', 'team');
const FULL = fail({ kind: 'quota' } as const);

const NONE: ReadonlyMap<RoomKey, string> = new Map();

type Answer = Result<void, { readonly kind: 'quota' }>;

let writes: string[];
/** Ends the oldest pending write. */
let end: (answer: Answer) => Promise<void>;
/** Answers with the drafts of closed tabs. */
let restore: (drafts: ReadonlyMap<RoomKey, string>) => void;

const type = (text: string): void => {
  clearDrafts();
  putDrafts('u_1', new Map([[ROOM, text]]));
};

/** The drafts of closed tabs have been read. */
const open = async (): Promise<void> => {
  restore(NONE);
  await vi.waitFor(() => undefined);
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
  const { promise: taken, resolve } = Promise.withResolvers<Result<typeof NONE, never>>();
  restore = (drafts) => resolve(ok(drafts));
  const store = {
    database: { isEnded: false },
    takeDrafts: () => taken,
    saveDrafts: (tab: string, drafts: ReadonlyMap<string, string>) => {
      own.push((tab === 'tab' ? '' : `${tab}: `) + [...drafts.values()].join());
      return new Promise<Answer>((resolve) => void waiting.push(resolve));
    },
  } as unknown as UserStore;
  const keeper = new DraftKeeper({
    tabId: 'tab',
    ids: { next: () => 'left' },
    openTabs: { list: () => Promise.resolve(new Set()) },
    clientLog: { write: () => undefined },
    openStore: () => Promise.resolve(ok(store)),
  });
  await keeper.openStore('u_1');
});
afterEach(() => clearDrafts());

test('text typed before the drafts of closed tabs are read stays, and the older draft too', async () => {
  type('typed');
  expect(writes).toEqual([]);
  restore(new Map([[ROOM, 'older']]));
  await vi.waitFor(() => expect(writes).toEqual(['left: older']));
  await end(ok(undefined));
  await vi.waitFor(() => expect(writes).toEqual(['left: older', 'typed']));
  expect(getDraft(toDraftKey('u_1', ROOM))).toBe('typed');
});

test('text typed during a write is written after it, once, in its last form', async () => {
  await open();
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
  await open();
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

/** A separate keeper for each test, with a store that writes at once. */
const createKeeper = (
  openings: Readonly<Record<string, Promise<void>>>,
  broken: { readonly store?: object; readonly list?: () => Promise<ReadonlySet<string>> } = {},
) => {
  const own: string[] = [];
  const toStore = (uid: string) =>
    ({
      database: { isEnded: false },
      takeDrafts: () => Promise.resolve(ok(NONE)),
      saveDrafts: (_tab: string, drafts: ReadonlyMap<string, string>) => {
        own.push(`${uid}: ${[...drafts.values()].join()}`);
        return Promise.resolve(ok(undefined));
      },
      ...broken.store,
    }) as unknown as UserStore;
  const lines: string[] = [];
  const keeper = new DraftKeeper({
    tabId: 'tab',
    ids: { next: () => 'left' },
    openTabs: { list: broken.list ?? (() => Promise.resolve(new Set())) },
    clientLog: { write: (_level, code) => void lines.push(code) },
    openStore: async (uid) => {
      await openings[uid];
      return ok(toStore(uid));
    },
  });
  return { keeper, own, lines };
};

test("the next user's drafts are stored although the previous user's store opens later", async () => {
  const late = Promise.withResolvers<void>();
  const { keeper, own } = createKeeper({ u_1: late.promise });
  const opening = keeper.openStore('u_1');
  await keeper.openStore('u_2');
  late.resolve();
  await opening;
  putDrafts('u_2', new Map([[ROOM, 'typed']]));
  expect(await keeper.keep()).toBe(true);
  expect(own).toContain('u_2: typed');
});

test('drafts are stored after the tabs could not be listed, which is logged', async () => {
  const refused = (): Promise<never> => Promise.reject(new Error('SecurityError'));
  const { keeper, own, lines } = createKeeper({}, { list: refused });
  await keeper.openStore('u_1');
  type('typed');
  await vi.waitFor(() => expect(own).toContain('u_1: typed'));
  expect(lines).toEqual(['TASK_FAILED']);
});

test('drafts of closed tabs that cannot be read are logged', async () => {
  const takeDrafts = () => Promise.resolve(FULL);
  const { keeper, lines } = createKeeper({}, { store: { takeDrafts } });
  await keeper.openStore('u_1');
  await vi.waitFor(() => expect(lines).toEqual(['DRAFTS_UNREAD']));
});

test('an older draft that cannot be stored for the next start is logged', async () => {
  const takeDrafts = () => Promise.resolve(ok(new Map([[ROOM, 'older']])));
  const saveDrafts = (tab: string) => Promise.resolve(tab === 'left' ? FULL : ok(undefined));
  const { keeper, lines } = createKeeper({}, { store: { takeDrafts, saveDrafts } });
  type('typed');
  await keeper.openStore('u_1');
  await vi.waitFor(() => expect(lines).toEqual(['DRAFT_UNSAVED']));
});

test('drafts of this page are stored again before those of closed tabs are taken', async () => {
  const steps: string[] = [];
  const { keeper } = createKeeper(
    {},
    {
      store: {
        saveDrafts: async (_tab: string, drafts: ReadonlyMap<string, string>) => {
          steps.push(`stored ${[...drafts.values()].join()}`);
          return ok(undefined);
        },
        takeDrafts: async () => {
          steps.push('taken');
          return ok(NONE);
        },
      },
    },
  );
  await keeper.openStore('u_1');
  type('typed');
  await vi.waitFor(() => expect(steps.at(-1)).toBe('stored typed'));
  const before = steps.length;
  // The same user signs in again after an expired session.
  await keeper.openStore('u_1');
  await vi.waitFor(() => expect(steps.slice(before)).toContain('taken'));
  expect(steps.slice(before, before + 2)).toEqual(['stored typed', 'taken']);
});

/** Another tab was closed, and this one is shown: all keepers restore drafts of their users. */
const show = (): void => void document.dispatchEvent(new Event('visibilitychange'));

test('a tab that is shown again has the drafts of tabs that were closed meanwhile', async () => {
  let closed: ReadonlyMap<RoomKey, string> = NONE;
  const takeDrafts = () => Promise.resolve(ok(closed));
  const { keeper } = createKeeper({}, { store: { takeDrafts } });
  await keeper.openStore('u_8');
  closed = new Map([[ROOM, 'of a closed tab']]);
  // The drafts of the opening are read.
  await vi.waitFor(() => {
    show();
    expect(getDraft(toDraftKey('u_8', ROOM))).toBe('of a closed tab');
  });
});

/** A keeper whose page is shown while `taken` is pending: the drafts of closed tabs. */
const openSlowly = async (uid: string) => {
  const taken = Promise.withResolvers<Result<ReadonlyMap<RoomKey, string>, never>>();
  const answers = [Promise.resolve(ok(NONE)), taken.promise];
  const saved: string[] = [];
  const takeDrafts = () => answers.shift() ?? Promise.resolve(ok(NONE));
  const saveDrafts = (tab: string, drafts: ReadonlyMap<string, string>) => {
    saved.push(`${tab}: ${[...drafts.values()].join()}`);
    return Promise.resolve(ok(undefined));
  };
  const { keeper } = createKeeper({}, { store: { takeDrafts, saveDrafts } });
  await keeper.openStore(uid);
  const showPage = () =>
    vi.waitFor(() => {
      show();
      expect(answers).toEqual([]);
    });
  return { keeper, taken, saved, showPage };
};

test('the draft of a closed tab in a room where this one types is kept for later', async () => {
  const { taken, saved, showPage } = await openSlowly('u_9');
  await showPage();
  putDrafts('u_9', new Map([[ROOM, 'typed']]));
  taken.resolve(ok(new Map([[ROOM, 'of a closed tab']])));
  await vi.waitFor(() => expect(saved).toContain('left: of a closed tab'));
  expect(getDraft(toDraftKey('u_9', ROOM))).toBe('typed');
});

test('a draft that is deleted while those of closed tabs are read does not come back', async () => {
  const { keeper, taken, showPage } = await openSlowly('u_10');
  putDrafts('u_10', new Map([[ROOM, 'typed']]));
  await showPage();
  setDraft(toDraftKey('u_10', ROOM), '');
  taken.resolve(ok(new Map([[ROOM, 'typed']])));
  await keeper.keep();
  expect(getDraft(toDraftKey('u_10', ROOM))).toBe('');
});
