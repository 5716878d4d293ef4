import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { CHANNEL, ROOM } from '#tests/support/fault-scene.ts';
import { buildPage, type PageBuild } from '#tests/support/page-build.ts';
import { NETWORK_AWAY } from '#tests/support/page-problems.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page-room.ts';
import { toShellPage } from '#tests/support/page-shell.ts';
import { type ReleasedDesk, startReleasedDesk } from '#tests/support/released-desk.ts';
import { createUser, PRODUCER, type User } from '#tests/support/user.ts';

/** What a page says of messages that do not go out, and of parts that do not come. */
const FAULT_NOISE = /Failed to load resource|dynamically imported|part of the page did not load/;
const PUBLISH = /^\/api\/realtime\/publish/;
/** The longest pause between two tries, and time to draw. */
const RECOVERY = { timeout: 20_000 };

let first: PageBuild;
let second: PageBuild;
let desk: ReleasedDesk;
let user: User;
let tab: Page;
let room: RoomPage;

beforeAll(async () => {
  [first, second] = await Promise.all([buildPage('first'), buildPage('second')]);
  desk = await startReleasedDesk(first);
  user = await createUser(desk);
  user.problems.allow(NETWORK_AWAY);
  user.problems.allow(FAULT_NOISE);
  await user.signIn(PRODUCER, ROOM);
  tab = user.page();
  room = toRoomPage(tab);
  await tab.waitForFunction(() => navigator.serviceWorker.controller !== null);
});
afterEach(() => desk.proxy.heal());
afterAll(async () => {
  const problems = user.problems.take();
  await user.dispose();
  await desk.dispose();
  await Promise.all([first.dispose(), second.dispose()]);
  expect(problems).toEqual([]);
});

const toRelease = (page: Page) => page.locator('html').getAttribute('data-release');
const toPrompt = (page: Page) =>
  page.getByRole('status').filter({ hasText: 'A new version is ready.' });
const stateOf = (page: Page, text: string) =>
  toRoomPage(page).message(text).first().getAttribute('data-state');

/** Releases a build; the pages look for it at once instead of within the hour. */
const deploy = async (build: PageBuild): Promise<void> => {
  await desk.deploy(build);
  await tab.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
  await toPrompt(tab).waitFor();
};

const accept = async (page: Page, release: string): Promise<void> => {
  await toPrompt(page).getByRole('button', { name: 'Reload' }).click();
  await expect.poll(() => toRelease(page).catch(() => null)).toBe(release);
};

/** Opens a section whose part this page has not loaded yet, and comes back. */
const visitSection = async (page: Page): Promise<void> => {
  await toShellPage(page).link('Videos').click();
  await page.getByRole('heading', { name: 'Videos' }).waitFor();
  await page.goBack();
  await toRoomPage(page).composer.waitFor();
};

const expectOnceEach = async (page: Page, texts: readonly string[]): Promise<void> => {
  for (const text of texts) {
    await expect.poll(() => stateOf(page, text), RECOVERY).toBe('sent');
  }
  const find = (all: readonly string[]) =>
    all.flatMap((line) => texts.filter((text) => line.includes(text)));
  const shown = (await toRoomPage(page).readAll()).map(({ text }) => text);
  expect({ log: find(await desk.readLog(CHANNEL)), screen: find(shown) }).toEqual({
    log: texts,
    screen: texts,
  });
};

test('a deployment with a pending outbox: the old page works on, the new one sends', async () => {
  const heal = desk.proxy.break(PUBLISH, { kind: 'refuse' });
  await room.send('before the deployment');
  await deploy(second);
  expect(await toRelease(tab)).toBe('first');
  await room.send('on the old page');
  await visitSection(tab);
  await room.composer.fill('half a thought');
  await accept(tab, 'second');
  expect(await room.composer.inputValue()).toBe('half a thought');
  expect(await stateOf(tab, 'before the deployment')).toMatch(/queued|sending/);
  await room.composer.fill('');
  await room.send('on the new page');
  heal();
  await expectOnceEach(tab, ['before the deployment', 'on the old page', 'on the new page']);
});

test('a rollback with a pending outbox, and a tab that stays behind with a draft', async () => {
  const behind = await user.openTab();
  await user.visit(ROOM);
  await toRoomPage(behind).composer.fill('still thinking');
  const heal = desk.proxy.break(PUBLISH, { kind: 'refuse' });
  await room.send('before the rollback');
  await deploy(first);
  await toPrompt(behind).waitFor();
  await tab.bringToFront();
  await accept(tab, 'first');
  await visitSection(tab);
  await room.send('after the rollback');

  await behind.bringToFront();
  await visitSection(behind);
  expect(await toRelease(behind)).toBe('second');
  expect(await toRoomPage(behind).composer.inputValue()).toBe('still thinking');
  heal();
  await toRoomPage(behind).composer.press('Enter');
  const texts = ['before the rollback', 'after the rollback', 'still thinking'];
  await expectOnceEach(tab, texts);
  await expect.poll(() => toRelease(behind).catch(() => null)).toBe('first');
  await expectOnceEach(behind, texts);
  await behind.close();
});

test('a part that does not load reloads the page once, and what is typed is still there', async () => {
  await tab.bringToFront();
  await room.composer.fill('not lost');
  await tab.reload();
  await expect.poll(() => room.composer.inputValue()).toBe('not lost');
  // Nothing of it is on this device any more, and the network has not this part.
  await tab.evaluate(async () => {
    for (const name of await caches.keys()) await caches.delete(name);
  });
  const browser = await tab.context().newCDPSession(tab);
  await browser.send('Network.clearBrowserCache');
  const heal = desk.proxy.break(/^\/assets\/section-page/, { kind: 'status', status: 404 });
  let loads = 0;
  tab.on('load', () => {
    loads += 1;
  });
  await room.composer.fill('not lost either');
  await toShellPage(tab).link('Videos').click();
  await expect.poll(() => loads).toBe(1);
  const broken = tab.getByRole('button', { name: 'Reload the page' });
  await broken.waitFor();
  heal();
  await broken.click();
  await tab.getByRole('heading', { name: 'Videos' }).waitFor();
  expect(loads).toBe(2);
  await tab.goBack();
  await expect.poll(() => room.composer.inputValue()).toBe('not lost either');
});
