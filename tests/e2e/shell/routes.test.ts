import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { toRoomPage } from '#tests/support/page/room.ts';
import { type ShellPage, toShellPage } from '#tests/support/page/shell.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { createUser, DESKTOP, PRODUCER, type User } from '#tests/support/browser/user.ts';

let server: ServerProcess;
let user: User;
let shell: ShellPage;

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server);
  await user.signIn(PRODUCER);
  shell = toShellPage(user.page());
  await shell.main.waitFor();
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

test.each([
  ['/', 'Home', 'Home'],
  ['/dashboard', 'Dashboard', 'Dashboard'],
  ['/videos', 'Videos', 'Videos'],
  ['/deliveries', 'Deliveries', 'Deliveries'],
  ['/settings', 'Settings', undefined],
  ['/spendings', 'Spendings', undefined],
  ['/referral', 'Referral', undefined],
  ['/DASHBOARD', 'Dashboard', 'Dashboard'],
])('%s opens at its own address as %s', { tags: ['S2.1'] }, async (path, heading, current) => {
  await user.visit(path);
  if (path === '/') await user.page().getByRole('main').getByRole('heading').first().waitFor();
  else await user.page().getByRole('heading', { name: heading, level: 1 }).waitFor();
  expect(user.path()).toBe(path);
  const marked = await shell.main.locator('[aria-current="page"]').allInnerTexts();
  expect(marked.map((text) => text.split('\n')[0])).toEqual(current === undefined ? [] : [current]);
});

/** Where the title of a page begins, and its type. */
const readTitle = (title: Locator) =>
  title.evaluate((heading) => {
    const { fontSize, fontWeight, lineHeight } = getComputedStyle(heading);
    return { top: heading.getBoundingClientRect().top, fontSize, fontWeight, lineHeight };
  });

test('page titles look the same, and the parts of Home share one left edge', async () => {
  const { main } = shell;
  const page = user.page();
  const title = page.getByRole('main').getByRole('heading', { level: 1 });
  const titles: Awaited<ReturnType<typeof readTitle>>[] = [];
  for (const path of ['/search', '/settings', '/dashboard', '/']) {
    await user.visit(path);
    await title.waitFor();
    titles.push(await readTitle(title));
  }
  expect(titles).toEqual(titles.map(() => titles[0]));
  const section = page.getByRole('region', { name: 'Needs reply' });
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await expect.poll(() => main.isVisible()).toBe(width > 390);
    const parts = [title, section.getByText('Needs reply'), section.getByRole('list').first()];
    const lefts = await Promise.all(parts.map(async (part) => (await part.boundingBox())?.x));
    expect(lefts).toEqual(lefts.map(() => lefts[0]));
  }
  await page.setViewportSize(DESKTOP);
});

test('/chat shows the clients, /chat/{cid} the rooms of one', { tags: ['S2.2'] }, async () => {
  await user.visit('/chat');
  await shell.client('Maya Okafor').waitFor();
  await user.visit('/chat/c_001');
  await user.page().getByRole('heading', { name: 'Maya Rooms' }).waitFor();
  await expect.poll(() => shell.client('Maya Okafor').getAttribute('aria-current')).not.toBe(null);
});

test.each([
  ['team', 'Team'],
  ['general', 'General'],
  ['producers', 'Producers'],
])(
  '/chat/{cid}/%s is the %s room, taken only from the route',
  { tags: ['S2.3', 'S2.5'] },
  async (rid, name) => {
    await user.visit(`/chat/c_001/${rid}?from=mail`);
    await toRoomPage(user.page()).region.locator('[data-message-id]').first().waitFor();
    const current = shell.rooms.locator('[aria-current="page"]');
    expect((await current.allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([name]);
    expect(await toRoomPage(user.page()).composer.getAttribute('placeholder')).toBe(
      `Message Maya · ${name}`,
    );
  },
);

test(
  '/register explains who creates accounts, and offers the login',
  { tags: ['S2.4'] },
  async () => {
    const guest = await createUser(server);
    try {
      await guest.visit('/register');
      await guest.page().getByRole('link', { name: 'Login' }).waitFor();
      expect(await guest.page().getByRole('link', { name: 'Register' }).count()).toBe(0);
      await guest.page().getByRole('heading', { level: 1 }).waitFor();
    } finally {
      await guest.dispose();
    }
  },
);

test('Back closes an open dialog, and the page behind it gets the focus', async () => {
  const page = user.page();
  const { composer } = toRoomPage(page);
  await page.setViewportSize(DESKTOP);
  await user.visit('/chat/c_001/team');
  await composer.waitFor();
  await shell.client("Aoife O'Sullivan").click();
  await page.waitForURL('**/chat/c_003/team');
  await composer.waitFor();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog');
  await palette.waitFor();
  await page.goBack();
  await expect.poll(() => palette.count()).toBe(0);
  expect(user.path()).toBe('/chat/c_001/team');
  await composer.and(page.locator(':focus')).waitFor();
});
