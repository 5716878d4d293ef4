import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';
import { toRoomPage } from '#tests/support/page/room.ts';
import { toShellPage, waitUntilCurrent } from '#tests/support/page/shell.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';

let server: ServerProcess;
let user: User;

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server);
  await user.signIn(PRODUCER);
  await waitUntilCurrent(user.page());
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

/** A wide window, and A4 paper on its side and upright, CSS pixels. */
const WIDTHS = [1440, 1047, 718] as const;

/** The pages on paper. */
const countPages = async (): Promise<number> => {
  const file = await user.page().pdf();
  return file.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
};

test('a page is printed whole, without the navigation', async () => {
  const page = user.page();
  const waiting = page.getByRole('region', { name: 'Needs reply' });
  await waiting.getByRole('button', { name: /^Show all/ }).click();
  // The rules for paper load after the content.
  await expect.poll(countPages).toBeGreaterThan(1);
  await page.emulateMedia({ media: 'print' });
  expect(await toShellPage(page).main.isVisible()).toBe(false);
  const isWhole = () =>
    page.getByRole('main').evaluate((main) => main.scrollHeight <= main.clientHeight);
  expect(await isWhole()).toBe(true);
  await user.visit('/dashboard');
  await page.getByRole('table', { name: 'Clients' }).waitFor();
  await expect.poll(countPages).toBeGreaterThan(1);
  expect(await isWhole()).toBe(true);
});

test('a room is printed as far as it is visible, on one page', async () => {
  const page = user.page();
  await user.visit('/chat/c_001/team');
  await toRoomPage(page).region.locator('[data-message-id]').first().waitFor();
  await expect.poll(() => toShellPage(page).clients.isVisible()).toBe(false);
  expect(await countPages()).toBe(1);
});

test.each(WIDTHS)(
  'a room %d px wide is printed across the page, with its name only',
  async (width) => {
    const page = user.page();
    const { region, composer } = toRoomPage(page);
    await page.setViewportSize({ width, height: 900 });
    const [main, name] = [page.getByRole('main'), page.getByRole('heading', { level: 1 })];
    const toBox = async (part: Locator) => (await part.boundingBox())!;
    await expect.poll(async () => (await toBox(region)).width).toBe((await toBox(main)).width);
    expect(await name.innerText()).toMatch(/^Maya Okafor\s+Team$/);
    expect((await toBox(name)).width).toBeGreaterThan(100);
    expect(await composer.isVisible()).toBe(false);
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
  },
);
