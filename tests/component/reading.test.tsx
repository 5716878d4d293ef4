import 'fake-indexeddb/auto';

import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';

import { unreadOf } from '#db/read/unread-model.ts';
import { catchUp } from '#db/user/catch-up.ts';
import type { UserStore } from '#db/user/user-store.ts';
import { TEXTS } from '#domain/errors.ts';
import { fail, ok } from '#domain/result.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { TIMETOKEN_ZERO } from '#domain/timetoken.ts';
import { at, page as pageOf, received, roomRead } from '#tests/support/facts.ts';
import { createDeskPage } from '#tests/support/scenes/desk-page.tsx';

import { findMenuItem, PATH, ROOM, wire, withoutLayout } from './prepare-page.ts';

const OTHER = toRoomKey('c_001', 'general');
const TITLE = 'Maya Okafor · Team – Replay Desk Staff Dashboard';

/** Longer than a message must be visible to count as read. */
const LOOK_MS = 3000;
// All rows are visible.
withoutLayout({ offsetHeight: 40, clientHeight: 400, scrollHeight: 400, offsetWidth: 800 });
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** The window gains or loses the focus. */
const focus = (hasFocus: boolean): void =>
  act(() => {
    vi.spyOn(document, 'hasFocus').mockReturnValue(hasFocus);
    window.dispatchEvent(new Event(hasFocus ? 'focus' : 'blur'));
  });

/** The rooms with a stored read position. */
const listRead = async (store: UserStore) =>
  (await store.database.log.toArray()).flatMap(({ fact }) =>
    fact.type === 'v1.RoomRead' ? [fact.room] : [],
  );

/** Reads another room: a reading of this one that began before is stored before. */
const readOther = async (store: UserStore): Promise<void> => {
  await store.findRead(new Map([[ROOM, undefined]]));
  await store.append([roomRead(at(1), OTHER)]);
};

type FindRead = UserStore['findRead'];

/**
 * Opens a room, and reads a message that arrives while the window has no focus; `store` answers
 * when the read position is stored. The window then loses the focus again.
 */
const readOne = async (store: (find: () => ReturnType<FindRead>) => ReturnType<FindRead>) => {
  const page = createDeskPage();
  focus(true);
  page.open(PATH);
  await waitFor(() => expect(document.title).toBe(TITLE));
  const opened = await waitFor(() => page.mustGetStore());
  const findRead = opened.findRead.bind(opened);
  let readings = 0;
  vi.spyOn(opened, 'findRead').mockImplementation((positions) => {
    readings += 1;
    return store(() => findRead(positions));
  });
  await waitFor(() => expect(page.world.engine.openStreams).toBe(1));
  focus(false);
  act(() => void page.world.engine.write(ROOM, wire('one', 'seen')));
  await waitFor(() => expect(document.title).toBe(`(1) ${TITLE}`));
  await screen.findByText('New');
  focus(true);
  await waitFor(() => expect(readings).toBe(1));
  focus(false);
  return page;
};

it('a message that was read stays read if the window loses the focus before that is stored', async () => {
  const stored = Promise.withResolvers<void>();
  const page = await readOne(async (note) => {
    await stored.promise;
    return note();
  });
  expect(document.title).toBe(TITLE);
  expect(screen.queryByText('New')).not.toBeNull();
  act(() => stored.resolve());
  act(() => void page.world.engine.write(ROOM, wire('two', 'later')));
  await waitFor(() => expect(document.title).toBe(`(1) ${TITLE}`));
});

it('a room that another device marked as unread is read again once its user is back', async () => {
  const page = await readOne((note) => note());
  const store = page.mustGetStore();
  await act(() => store.recordUnread(new Map([[ROOM, { from: TIMETOKEN_ZERO }]])));
  await waitFor(() => expect(document.title).toBe(`(1) ${TITLE}`));
  const reading = vi.spyOn(store, 'findRead').mockClear();
  focus(true);
  await waitFor(() => expect(reading).toHaveBeenCalled());
  focus(false);
  await waitFor(() => expect(document.title).toBe(TITLE));
});

it('a room whose read position cannot be stored is unread again', async () => {
  await readOne(() => Promise.resolve(fail({ kind: 'storage', detail: 'refused' })));
  await waitFor(() => expect(document.title).toBe(`(1) ${TITLE}`));
});

it('reading continues after a mark as unread that left nothing unread', async () => {
  const page = createDeskPage();
  page.world.engine.write(ROOM, wire('one', 'seen'));
  focus(true);
  page.open(PATH);
  await waitFor(() => expect(document.title).toBe(TITLE));
  const store = await waitFor(() => page.mustGetStore());
  await waitFor(() => expect(page.world.engine.openStreams).toBe(1));
  // Simulates that the room was emptied here meanwhile.
  const marking = vi.spyOn(store, 'recordUnread').mockResolvedValue(ok(undefined));
  fireEvent.click(await screen.findByRole('button', { name: 'Message actions' }));
  fireEvent.click(await findMenuItem('Mark unread'));
  await screen.findByText('Marked as unread from this message.');
  expect(marking).toHaveBeenCalledTimes(1);
  focus(false);
  act(() => void page.world.engine.write(ROOM, wire('two', 'later')));
  await waitFor(() => expect(document.title).toBe(`(1) ${TITLE}`));
  const reading = vi.spyOn(store, 'findRead');
  focus(true);
  await waitFor(() => expect(reading).toHaveBeenCalledTimes(1));
  focus(false);
  expect(document.title).toBe(TITLE);
});

/**
 * Opens the room, in which one message was read, with a disk that is slow and full: a mark as
 * unread takes until it fails. Time that the user looks at messages passes by `look` only.
 */
const openWithSlowDisk = async () => {
  const page = createDeskPage();
  page.world.engine.write(ROOM, wire('one', 'seen'));
  focus(true);
  page.open(PATH);
  await waitFor(() => expect(document.title).toBe(TITLE));
  const store = await waitFor(() => page.mustGetStore());
  await waitFor(() => expect(page.world.engine.openStreams).toBe(1));
  const marks: (() => void)[] = [];
  vi.spyOn(store, 'recordUnread').mockImplementation(async () => {
    await new Promise<void>((resolve) => marks.push(resolve));
    return fail({ kind: 'quota' });
  });
  return {
    listRead: () => listRead(store),
    mark: async (): Promise<void> => {
      const count = marks.length;
      fireEvent.click(await screen.findByRole('button', { name: 'Message actions' }));
      fireEvent.click(await findMenuItem('Mark unread'));
      await waitFor(() => expect(marks).toHaveLength(count + 1));
    },
    /** The oldest mark that is pending fails; the page has counted what it left. */
    failMark: async (): Promise<void> => {
      act(() => marks.shift()?.());
      await expect.poll(() => screen.queryByText(TEXTS.generic)).not.toBeNull();
      await catchUp(store.database, unreadOf(store.database));
    },
    /** A message arrives, and the time until it counts as read begins. */
    receive: async (): Promise<void> => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      act(() => void page.world.engine.write(ROOM, wire('two', 'later')));
      await expect.poll(() => screen.queryByText('later')).not.toBeNull();
      await expect.poll(() => vi.getTimerCount()).toBe(1);
    },
    look: () => act(() => vi.advanceTimersByTimeAsync(LOOK_MS)),
    readOther: () => readOther(store),
  };
};

/** Looks at the room until it is read; another one was read before. */
const untilRead = async (page: { look(): Promise<unknown>; listRead(): unknown }) => {
  const list = async () => {
    await page.look();
    return page.listRead();
  };
  await expect.poll(list).toEqual([OTHER, ROOM]);
};

it('a visible message is read once no mark as unread is pending', async () => {
  const desk = await openWithSlowDisk();
  await desk.mark();
  await desk.mark();
  await desk.receive();
  await desk.look();
  await desk.failMark();
  await desk.look();
  await desk.readOther();
  expect(await desk.listRead()).toEqual([OTHER]);
  await desk.failMark();
  await untilRead(desk);
});

it('visible messages do not count as read while earlier unread ones may be missing', async () => {
  const page = createDeskPage();
  const { engine } = page.world;
  const { timetoken: began } = engine.write(OTHER, wire('zero', 'first'));
  engine.writeOwn({ v: 2, marks: {}, began });
  engine.write(OTHER, wire('between', 'second'));
  const { timetoken } = engine.write(ROOM, wire('one', 'newest'));
  for (const name of ['history', 'newest'] as const) engine.fail(name, { kind: 'unreachable' });
  focus(false);
  page.open(PATH);
  const store = await waitFor(() => page.mustGetStore());
  await act(() => store.append([received(timetoken), pageOf(timetoken, timetoken)]));
  await waitFor(() => expect(document.title).toBe(`(1) ${TITLE}`));
  act(() => page.environment.set('offline'));
  await screen.findByText('Offline');
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  focus(true);
  const look = () => act(() => vi.advanceTimersByTimeAsync(LOOK_MS));
  await look();
  await readOther(store);
  expect(await listRead(store)).toEqual([OTHER]);
  await act(() => store.append([pageOf(TIMETOKEN_ZERO, timetoken, true)]));
  await untilRead({ look, listRead: () => listRead(store) });
});

it('messages that arrive just after a return are new', async () => {
  const page = createDeskPage();
  focus(true);
  page.open(PATH);
  await waitFor(() => expect(document.title).toBe(TITLE));
  await waitFor(() => expect(page.world.engine.openStreams).toBe(1));
  focus(false);
  act(() => void page.world.engine.write(ROOM, wire('one', 'written meanwhile')));
  await waitFor(() => expect(document.title).toBe(`(1) ${TITLE}`));
  focus(true);
  // Read, so that the user is at the end with nothing left to read.
  await waitFor(() => expect(document.title).toBe(TITLE));
  // The time for which missed messages may still arrive passes slowly.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  focus(false);
  focus(true);
  const titles = new Set<string>();
  const observer = new MutationObserver(() => titles.add(document.title));
  observer.observe(document, { subtree: true, childList: true, characterData: true });
  act(() => void page.world.engine.write(ROOM, wire('two', 'missed')));
  await expect
    .poll(() => {
      act(() => void vi.advanceTimersByTime(1));
      return [...titles].join();
    })
    .toMatch(/\(\d\)/);
  observer.disconnect();
});
