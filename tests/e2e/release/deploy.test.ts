import type { Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { DIST } from '#server/app/main.ts';
import { CHANNEL, onceEach, ROOM } from '#tests/support/scenes/fault-scene.ts';
import { buildPage, type PageBuild } from '#tests/support/build/page-build.ts';
import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { toShellPage } from '#tests/support/page/shell.ts';
import { routeMessage } from '#tests/support/browser/route-message.ts';
import { type ReleasedServer, startReleasedServer } from '#tests/support/scenes/released-server.ts';
import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';

/** Log lines about messages that are not sent and chunks that do not load. */
const FAULT_NOISE = /Failed to load resource|dynamically imported|Unable to preload CSS/;
const PUBLISH = /^\/api\/realtime\/publish/;

let second: PageBuild;
let backend: ReleasedServer;
let user: User;
let tab: Page;
let room: RoomPage;

beforeAll(async () => {
  second = await buildPage('second');
  backend = await startReleasedServer(DIST);
  user = await createUser(backend);
  user.problems.allow(NETWORK_AWAY);
  user.problems.allow(FAULT_NOISE);
  await user.signInByForm(PRODUCER, ROOM);
  tab = user.page();
  room = toRoomPage(tab);
});
afterEach(() => backend.proxy.heal());
afterAll(async () => {
  const problems = user.problems.take();
  await user.dispose();
  await backend.dispose();
  await second.dispose();
  expect(problems).toEqual([]);
});

/** The release of a page; the first one, with which the tests started, has no name. */
const toRelease = (page: Page): Promise<string> =>
  page
    .locator('html')
    .getAttribute('data-release')
    .then(
      (name) => name ?? 'first',
      () => 'none yet',
    );
const toPrompt = (page: Page) =>
  page.getByRole('status').filter({ hasText: 'A new version is ready.' });
const stateOf = (page: Page, text: string) =>
  toRoomPage(page).message(text).first().getAttribute('data-state');

/** Releases a build; the pages check for it at once instead of within the hour. */
const deploy = async (folder: string): Promise<void> => {
  await backend.deploy(folder);
  await tab.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
  await toPrompt(tab).waitFor();
};

const accept = async (page: Page, release: string): Promise<void> => {
  await toPrompt(page).getByRole('button', { name: 'Reload' }).click();
  await expect.poll(() => toRelease(page)).toBe(release);
};

/** Messages can be sent again, and the browsers report online. */
const healNetwork = async (...pages: readonly Page[]): Promise<void> => {
  backend.proxy.heal();
  for (const page of pages) await page.evaluate(() => window.dispatchEvent(new Event('online')));
};

const clearHttpCache = async (page: Page): Promise<void> => {
  const browser = await page.context().newCDPSession(page);
  await browser.send('Network.clearBrowserCache');
};

/** The user's database in the browser, opened without the page. */
const DATABASE = `replay-desk-user-${PRODUCER.uid}`;

const readStoredDrafts = (page: Page): Promise<string> =>
  page.evaluate(
    (name) =>
      new Promise<string>((resolve) => {
        const opening = indexedDB.open(name);
        opening.addEventListener('success', () => {
          const rows = opening.result.transaction('drafts').objectStore('drafts').getAll();
          rows.addEventListener('success', () => resolve(JSON.stringify(rows.result)));
          opening.result.close();
        });
      }),
    DATABASE,
  );

/** Opens a section whose chunk this page has not loaded yet, and returns. */
const visitSection = async (page: Page): Promise<void> => {
  await toShellPage(page).link('Videos').click();
  await page.getByRole('heading', { name: 'Videos' }).waitFor();
  await page.goBack();
  await toRoomPage(page).composer.waitFor();
};

/** Waits until the texts are sent; returns them from the server's log and from the screen. */
const findSent = async (page: Page, texts: readonly string[]) => {
  for (const text of texts) {
    await expect.poll(() => stateOf(page, text)).toBe('sent');
  }
  const find = (all: readonly string[]) =>
    all.flatMap((line) => texts.filter((text) => line.includes(text)));
  const shown = (await toRoomPage(page).readAll()).map(({ text }) => text);
  return { log: find(await backend.readLog(CHANNEL)), screen: find(shown) };
};

test('a deployment with a pending outbox: the old page continues to work, the new one sends', async () => {
  backend.proxy.break(PUBLISH, { kind: 'refuse' });
  await room.send('before the deployment');
  await deploy(second.folder);
  expect(await toRelease(tab)).toBe('first');
  await room.send('on the old page');
  await visitSection(tab);
  await room.composer.fill('half a thought');
  await accept(tab, 'second');
  await expect.poll(() => room.composer.inputValue()).toBe('half a thought');
  expect(await stateOf(tab, 'before the deployment')).toMatch(/queued|sending/);
  await room.composer.fill('');
  await room.send('on the new page');
  await healNetwork(tab);
  const texts = ['before the deployment', 'on the old page', 'on the new page'];
  expect(await findSent(tab, texts)).toEqual(onceEach(texts));
});

test('a rollback with a pending outbox, and a tab that stays open with a draft', async () => {
  const idle = await user.openTab();
  await user.visit(ROOM);
  const behind = await user.openTab();
  await user.visit(ROOM);
  await toRoomPage(behind).composer.fill('still thinking');
  backend.proxy.break(PUBLISH, { kind: 'refuse' });
  await room.send('before the rollback');
  await deploy(DIST);
  await toPrompt(behind).waitFor();
  await tab.bringToFront();
  await accept(tab, 'first');
  await visitSection(tab);
  await room.send('after the rollback');

  // A tab without typing follows by itself; this one does not, and has no chunk cached.
  await expect.poll(() => toRelease(idle)).toBe('first');
  await idle.close();
  await behind.bringToFront();
  await clearHttpCache(behind);
  await visitSection(behind);
  expect(await toRelease(behind)).toBe('second');
  await expect.poll(() => toRoomPage(behind).composer.inputValue()).toBe('still thinking');
  await healNetwork(tab, behind);
  await toRoomPage(behind).composer.press('Enter');
  const texts = ['before the rollback', 'after the rollback', 'still thinking'];
  expect(await findSent(tab, texts)).toEqual(onceEach(texts));
  await expect.poll(() => toRelease(behind)).toBe('first');
  expect(await findSent(behind, texts)).toEqual(onceEach(texts));
  await behind.close();
});

test('a chunk that does not load reloads the page once, and drafts are still there', async () => {
  await tab.bringToFront();
  await room.composer.fill('not lost');
  await expect.poll(() => readStoredDrafts(tab)).toContain('not lost');
  await tab.reload();
  await expect.poll(() => room.composer.inputValue()).toBe('not lost');
  // The chunk is no longer on this device, and the network does not have it.
  await tab.evaluate(async () => {
    for (const name of await caches.keys()) await caches.delete(name);
  });
  await clearHttpCache(tab);
  const heal = backend.proxy.break(/^\/assets\/sections/, { kind: 'status', status: 404 });
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
  await expect.poll(() => loads).toBe(2);
  await tab.goBack();
  await expect.poll(() => room.composer.inputValue()).toBe('not lost either');
});

test('a page that is older than the stored data continues with it', async () => {
  await tab.evaluate(
    (name) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open(name, 990);
        opening.addEventListener('upgradeneeded', () => {
          opening.result.createObjectStore('of-a-later-version', { keyPath: 'id' });
        });
        opening.addEventListener('error', () => reject(new Error('not opened')));
        opening.addEventListener('success', () => {
          opening.result.close();
          resolve();
        });
      }),
    DATABASE,
  );
  await room.send('on data of a later version');
  const texts = ['on data of a later version'];
  expect(await findSent(tab, texts)).toEqual(onceEach(texts));
  await tab.reload();
  await room.send('after a reload');
  texts.push('after a reload');
  expect(await findSent(tab, texts)).toEqual(onceEach(texts));
});

test('an update waits for the answer to the current publish', async () => {
  await deploy(second.folder);
  let attempts = 0;
  tab.on('request', (request) => {
    if (request.postData()?.includes('on its way')) attempts += 1;
  });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const hold = async (route: Route): Promise<void> => {
    await released;
    await route.continue();
  };
  await routeMessage(tab, 'on its way', hold);
  await room.send('on its way');
  await expect.poll(() => stateOf(tab, 'on its way')).toBe('sending');
  await toPrompt(tab).getByRole('button', { name: 'Reload' }).click();
  await tab.getByText('Installing the update…').waitFor();
  expect(await toRelease(tab)).toBe('first');
  release();
  await expect.poll(() => toRelease(tab)).toBe('second');
  expect(await findSent(tab, ['on its way'])).toEqual(onceEach(['on its way']));
  expect(attempts).toBe(1);
});
