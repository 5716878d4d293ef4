import { setTimeout as pause } from 'node:timers/promises';

import type { Page } from 'playwright-core';
import { LEADER_STALE_MS } from '#domain/limits.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { type FaultyServer, startFaultyServer } from '#tests/support/scenes/faulty-server.ts';
import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { toRoomPage } from '#tests/support/page/room.ts';
import { toShellPage } from '#tests/support/page/shell.ts';
import { PUBLISH } from '#tests/support/screens/messages.ts';
import { limitStorage, type LimitedStorage } from '#tests/support/browser/limited-storage.ts';
import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';

const ROOM = '/chat/c_003/general';
const CHANNEL = 'chat.c_003.general';
const OTHER_CHANNEL = 'chat.c_003.team';
const FULL = /^This device's storage is full\s*New messages are shown but not saved/;

const disposals: (() => Promise<void>)[] = [];
let backend: FaultyServer;
let storage: LimitedStorage;
let user: User;
/** Opened second, so that the other tab leads. */
let follower: Page;
let extra = 0;
let letOut = (): void => undefined;

beforeAll(async () => {
  backend = await startFaultyServer();
  disposals.push(() => backend.dispose());
  storage = await limitStorage(backend.server.address);
  disposals.push(() => storage.dispose());
  user = await createUser(backend.server, 'whole', storage.folder);
  disposals.push(() => user.dispose());
  user.problems.allow(NETWORK_AWAY);
  user.problems.allow(/status of 503/);
  await user.signIn(PRODUCER, ROOM);
  await room().region.locator('[data-message-id]').first().waitFor();
  // The browser writes the session cookie on exit, or half a minute after it was set.
  await restart();
  follower = await user.page().context().newPage();
  await follower.goto(user.page().url());
  await toRoomPage(follower).region.locator('[data-message-id]').first().waitFor();
});
afterAll(async () => {
  for (const dispose of disposals.toReversed()) await dispose();
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

const room = () => toRoomPage(user.page());
const toNotice = (page: Page, hasText = FULL) => page.getByRole('alert').filter({ hasText });
const notice = () => toNotice(user.page());
const sent = (text: string) =>
  room().message(text).and(user.page().locator('[data-state="sent"]')).waitFor();

/** Messages arrive until one is refused: the last page of a file has space for a few more. */
const fillUp = async (): Promise<void> => {
  const look = async (): Promise<number> => {
    await storage.fill(user.page());
    await backend.write(CHANNEL, [`arrival ${(extra += 1)} ${'x'.repeat(2000)}`]);
    // Many messages in a row would move earlier ones out of the page.
    await room().message(`arrival ${extra} `).waitFor();
    return notice().count();
  };
  await expect.poll(look, { interval: 1000 }).toBe(1);
};

const expectOnce = async (texts: readonly string[], page = user.page()): Promise<void> => {
  for (const text of texts) {
    await toRoomPage(page).message(text).first().waitFor();
    expect(await toRoomPage(page).message(text).count()).toBe(1);
  }
};

const restart = async (): Promise<void> => {
  await user.closeBrowser();
  await user.openBrowser({ offline: false });
  await user.visit(ROOM);
};

/** The files of the databases: they stay the same as long as nothing opens the databases. */
const listFiles = () => storage.listDatabaseFiles(user.profile);

const LATE = 'arrived after a silence';
const EVERYTHING = [
  'sent before',
  'waiting since before',
  'arrived on a full disk: one',
  'arrived on a full disk: two',
  'refused at first',
];

test('a full disk is reported, new messages are shown, drafts stay', async () => {
  await room().send('sent before');
  await sent('sent before');
  letOut = backend.proxy.break(PUBLISH, { kind: 'status', status: 503 });
  await room().send('waiting since before');
  const { connection } = toShellPage(user.page());
  await expect.poll(() => connection.innerText()).toMatch(/^Reconnecting/);
  await fillUp();
  await backend.write(CHANNEL, EVERYTHING.slice(2, 4));
  await room().message('arrived on a full disk: two').waitFor();
  await room().message(`arrival ${extra} `).waitFor();
  await room().composer.fill('refused at first');
  await room().composer.press('Enter');
  await toNotice(user.page(), /full\. Free up space/).waitFor();
  expect(await room().composer.inputValue()).toBe('refused at first');
  await user.page().screenshot({ path: 'shots/full-disk.png' });
});

test('the page stays online, and another room shows its new messages', async () => {
  const { rooms, connection } = toShellPage(user.page());
  letOut();
  await expect.poll(() => connection.innerText()).toMatch(/^(?:Online)?$/);
  await user.page().getByText('Sending 1 message').waitFor({ state: 'detached' });
  expect(await notice().count()).toBe(1);
  await rooms.getByRole('link', { name: 'Team' }).click();
  await backend.write(OTHER_CHANNEL, ['arrived elsewhere']);
  await room().message('arrived elsewhere').waitFor();
  await user.page().screenshot({ path: 'shots/full-disk-other-room.png' });
  await rooms.getByRole('link', { name: 'General' }).click();
  await room().message('arrived on a full disk: two').waitFor();
  expect(await room().composer.inputValue()).toBe('refused at first');
});

test('a tab that does not lead also shows new messages', async () => {
  await toNotice(follower).waitFor();
  await expectOnce(EVERYTHING.slice(2, 4), follower);
  // Nothing may happen while no heartbeat is written, for longer than a leader may be silent.
  await pause(2 * LEADER_STALE_MS);
  await backend.write(CHANNEL, [LATE]);
  for (const tab of [user.page(), follower]) await expectOnce([LATE], tab);
  expect(await toNotice(follower).count()).toBe(1);
  await follower.screenshot({ path: 'shots/full-disk-follower.png' });
});

test('a search does not open the databases', async () => {
  const before = await listFiles();
  const page = user.page();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('Search messages');
  await page.getByRole('option', { name: 'Search messages', exact: true }).click();
  await page.getByRole('searchbox').fill('arrived');
  await page.getByText(/^(?:Couldn't search the messages on|Searched \d+ messages)/).waitFor();
  expect(await listFiles()).toEqual(before);
  await page.goBack();
  await room().message(LATE).waitFor();
});

/** Run in the page: a mark that disappears with this load of the page. */
const markLoad = (): void => void Object.assign(globalThis, { isSameLoad: true });
const isSameLoad = (): boolean => 'isSameLoad' in globalThis;
test('once there is space everything continues without a reload', async () => {
  const tabs = [user.page(), follower];
  for (const tab of tabs) await tab.evaluate(markLoad);
  await storage.free(user.page());
  // A check of the disk that began before may refuse it once more; the text then stays.
  const { composer } = room();
  const send = () => composer.press('Enter').then(() => composer.inputValue());
  await expect.poll(send, { interval: 1000 }).toBe('');
  await notice().waitFor({ state: 'detached' });
  await sent('refused at first');
  await sent('waiting since before');
  await expectOnce(EVERYTHING);
  await toNotice(follower).waitFor({ state: 'detached' });
  await expectOnce(EVERYTHING, follower);
  for (const tab of tabs) expect(await tab.evaluate(isSameLoad)).toBe(true);
});

/** The stored data is read without a network: the browser has neither lost nor damaged it. */
const expectStored = async (texts: readonly string[]): Promise<void> => {
  for (let starts = 0; starts < 2; starts += 1) {
    await restart();
    await expectOnce(texts);
    await user.goOffline();
    await user.page().reload();
    await expectOnce(texts);
    await user.goOnline();
  }
};

/** A new message arrives: without space, this would be reported. */
const storeMore = async (text: string): Promise<void> => {
  await backend.write(CHANNEL, [text]);
  await room().message(text).waitFor();
};

test('everything is still stored after two restarts of the browser', async () => {
  await expectStored(EVERYTHING);
  await storeMore('arrived after two restarts');
  expect(await notice().count()).toBe(0);
});

/**
 * Runs in the page: whether the next start finds the mark of a full disk
 * (adapters/browser/disk.ts).
 */
const isRecorded = async (): Promise<boolean> => {
  const cache = await caches.open('replay-desk-disk');
  return (await cache.match('/disk-guard')) === undefined;
};

/**
 * Runs in a new page: localStorage was emptied on the full disk, and on a busy device caches answer
 * long after the browser's start.
 */
const hideTraces = (): void => {
  localStorage.removeItem('replay-desk-disk');
  const match = caches.match.bind(caches);
  caches.match = async (...request) => {
    await new Promise((later) => setTimeout(later, 7000));
    return match(...request);
  };
};

test('a browser killed on a full disk loses nothing, then or at later starts', async () => {
  const [waiting, arrived] = ['waiting through a kill', 'arrived before the kill'];
  letOut = backend.proxy.break(PUBLISH, { kind: 'status', status: 503 });
  await room().send(waiting);
  await fillUp();
  await backend.write(CHANNEL, [arrived]);
  await room().message(arrived).waitFor();
  await expect.poll(() => user.page().evaluate(isRecorded)).toBe(true);
  await user.killBrowser();
  const left = await listFiles();
  await user.openBrowser();
  await user.page().addInitScript(hideTraces);
  await user.visit(ROOM);
  const closed = user.page().getByRole('heading', { name: "This device's storage is full" });
  user.problems.allow(/kind: quota/);
  if (storage.folder === undefined) await room().message(arrived).or(closed).first().waitFor();
  else await closed.waitFor();
  // Nothing opens the databases until there is space to repair the damage of the kill.
  expect(await listFiles()).toEqual(left);
  letOut();
  await storage.free(user.page());
  await sent(waiting);
  const shown = (await room().readAll()).map(({ text }) => text);
  for (const text of [...EVERYTHING, arrived, waiting]) {
    expect([text, shown.filter((one) => one.includes(text)).length]).toEqual([text, 1]);
  }
  const logged = await backend.readLog(CHANNEL);
  expect(logged.filter((text) => text === waiting)).toHaveLength(1);
  await expectStored([...EVERYTHING, arrived, waiting]);
  await storeMore('arrived after the kill');
  expect(await notice().count()).toBe(0);
});
