import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';
import { toRoomPage } from '#tests/support/page/room.ts';
import { waitUntilCurrent } from '#tests/support/page/shell.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { waitFor } from '#tests/support/wait-for.ts';

let server: ServerProcess;
let user: User;

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server);
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

test('back leads to the entry that was opened, in a list that was shown in full', async () => {
  await user.signIn(PRODUCER);
  const page = user.page();
  await waitUntilCurrent(page);
  await page.setViewportSize({ width: 1200, height: 500 });
  const waiting = page.getByRole('region', { name: 'Needs reply' });
  await waiting.getByRole('button', { name: /^Show all/ }).click();
  const entries = waiting.getByRole('link');
  await expect.poll(() => entries.count()).toBeGreaterThan(8);
  // Its text changes with the time.
  const [count, path] = [await entries.count(), await entries.last().getAttribute('href')];
  await entries.last().focus();
  const readScroll = () => page.evaluate(() => document.querySelector('main')?.scrollTop);
  const before = await readScroll();
  expect(before).toBeGreaterThan(100);
  await page.keyboard.press('Enter');
  await toRoomPage(page).composer.waitFor();
  await page.goBack();
  await entries.last().and(page.locator(':focus')).waitFor();
  expect(await entries.count()).toBe(count);
  expect(await entries.last().getAttribute('href')).toBe(path);
  expect(await readScroll()).toBe(before);
});

const openDashboard = async (): Promise<void> => {
  const page = user.page();
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  // The navigation below the pointer is expanded.
  await page.mouse.move(700, 200);
};

test('back leads to the place in the table of clients, in its order', async () => {
  const page = user.page();
  await page.setViewportSize({ width: 1200, height: 500 });
  await openDashboard();
  const table = page.getByRole('table', { name: 'Clients' });
  await table.getByRole('button', { name: 'Client' }).click();
  await expect.poll(() => table.locator('th[aria-sort]').textContent()).toContain('Client');
  const links = table.getByRole('link');
  const names = await links.allTextContents();
  await links.last().click();
  await toRoomPage(page).composer.waitFor();
  await page.goBack();
  await links.last().and(page.locator(':focus')).waitFor();
  expect(await links.allTextContents()).toEqual(names);
  expect(await page.evaluate(() => document.querySelector('main')?.scrollTop)).toBeGreaterThan(100);
});

test('a page that is opened again starts at its top', async () => {
  const page = user.page();
  const readScroll = () => page.evaluate(() => document.querySelector('main')?.scrollTop);
  // Once the page is long enough.
  const scrollDown = (): Promise<void> =>
    waitFor('the page to scroll', async () => {
      await page.evaluate(() => document.querySelector('main')?.scrollTo({ top: 300 }));
      return ((await readScroll()) ?? 0) > 100;
    });
  await page.setViewportSize({ width: 1200, height: 300 });
  await scrollDown();
  await page.getByRole('button', { name: 'User menu' }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  expect(await readScroll()).toBe(0);
  await scrollDown();
  await openDashboard();
  expect(await readScroll()).toBe(0);
});
