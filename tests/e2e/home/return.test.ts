import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';
import { toRoomPage } from '#tests/support/page/room.ts';
import { waitUntilCurrent } from '#tests/support/page/shell.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';

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
