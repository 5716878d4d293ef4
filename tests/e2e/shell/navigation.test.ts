import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { toRoomPage } from '#tests/support/page/room.ts';
import { type ShellPage, toShellPage } from '#tests/support/page/shell.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { createUser, DESKTOP, PHONE, PRODUCER, type User } from '#tests/support/browser/user.ts';

const SECTIONS = [
  ['Home', '/'],
  ['Dashboard', '/dashboard'],
  ['Videos', '/videos'],
  ['Chat', '/chat'],
  ['Deliveries', '/deliveries'],
] as const;

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

test.each(SECTIONS)(
  '%s is one click away and marked as current',
  { tags: ['S1.3', 'S2.10'] },
  async (name, path) => {
    await shell.link(name).click();
    await user.page().waitForURL(`${server.address}${path}`);
    await expect.poll(() => shell.link(name).getAttribute('aria-current')).toBe('page');
    expect(await shell.main.locator('[aria-current="page"]').count()).toBe(1);
    await user.page().getByRole('main').waitFor();
  },
);

test.each(['Settings', 'Spendings', 'Referral'])(
  'the user menu opens %s',
  { tags: ['S1.4'] },
  async (name) => {
    await shell.chooseFromUserMenu(name);
    await expect.poll(() => user.path()).toBe(`/${name.toLowerCase()}`);
    await user.page().getByRole('heading', { name, level: 1 }).waitFor();
  },
);

test(
  'the navigation is 90 px wide, and 200 px on hover, over the page',
  { tags: ['S2.12', 'S9.4'] },
  async () => {
    const width = async (): Promise<number> => (await shell.main.boundingBox())?.width ?? 0;
    const mainLeft = async () => (await user.page().getByRole('main').boundingBox())?.x;
    await user.page().mouse.move(900, 500);
    await expect.poll(width).toBe(90);
    const before = await mainLeft();
    await shell.main.hover();
    await expect.poll(width).toBe(200);
    expect(await mainLeft()).toBe(before);
    await user.page().mouse.move(900, 500);
    await expect.poll(width).toBe(90);
  },
);

test(
  'on a phone the navigation is behind a button, and chat is one pane at a time',
  { tags: ['S2.11'] },
  async () => {
    const page = user.page();
    await page.setViewportSize(PHONE);
    await page.getByRole('button', { name: 'Open navigation' }).click();
    const drawer = page.getByRole('dialog', { name: 'Navigation' });
    const { x, y, height } = (await drawer.boundingBox()) ?? { x: 0, y: 0, height: 0 };
    // Its empty part is not outside.
    await page.mouse.click(x + 40, y + height - 40);
    await shell.link('Chat').click();
    await page.waitForURL(`${server.address}/chat`);
    await shell.client('Maya Okafor').click();
    await page.getByRole('heading', { name: 'Maya Rooms' }).waitFor();
    await expect.poll(() => shell.clients.isVisible()).toBe(false);
    await shell.rooms.getByRole('link', { name: 'Team' }).click();
    await toRoomPage(page).composer.waitFor();
    // Its rooms are tabs above it.
    await expect.poll(() => page.getByRole('heading', { name: 'Rooms' }).isVisible()).toBe(false);
    expect(await shell.clients.isVisible()).toBe(false);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
    await page.setViewportSize(DESKTOP);
  },
);

test('the user menu shows the signed-in user and the role', async () => {
  await user.page().getByRole('button', { name: 'User menu' }).click();
  const menu = user.page().getByRole('menu');
  await menu.getByText(PRODUCER.email).waitFor();
  await menu.getByText('Producer', { exact: true }).waitFor();
  expect(await menu.evaluate((element) => element.closest('main, nav, header') !== null)).toBe(
    true,
  );
  await user.page().keyboard.press('Escape');
});

test.each([1024, 1440])("%i px wide, the open client's full name is on the page", async (width) => {
  await user.page().setViewportSize({ width, height: 768 });
  await user.visit('/chat/c_001/team');
  await expect
    .poll(() =>
      user.page().evaluate(() => {
        const texts = [...document.querySelectorAll('main bdi')];
        return texts.some((text) => {
          const { width, height } = text.getBoundingClientRect();
          return text.textContent === 'Maya Okafor' && width > 60 && height > 10;
        });
      }),
    )
    .toBe(true);
  await user.page().setViewportSize(DESKTOP);
});

/** Runs in the page: whether the element is visible at its corners and along its edges. */
const isWhole = (element: Element): boolean => {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const [xs, ys] = [
    [left + 8, (left + right) / 2, right - 8],
    [top + 8, (top + bottom) / 2, bottom - 8],
  ];
  const isIn = (x: number, y: number) => element.contains(document.elementFromPoint(x, y));
  return left >= 0 && xs.every((x) => ys.every((y) => isIn(x, y)));
};

test.each([
  ['beside the navigation', DESKTOP],
  ['on a phone', PHONE],
])('the user menu is fully visible %s', async (_where, size) => {
  const page = user.page();
  await page.setViewportSize(size);
  // With a pointer over it, the navigation is wide.
  await page.getByRole('button', { name: 'User menu' }).click();
  const menu = page.getByRole('menu');
  await menu.getByText(PRODUCER.email).waitFor();
  await expect.poll(() => menu.evaluate(isWhole)).toBe(true);
  await menu.hover();
  const readWidths = () => shell.main.evaluateAll((all) => all.map((one) => one.clientWidth));
  await expect.poll(readWidths).toEqual(size === PHONE ? [] : [90]);
  await expect.poll(() => menu.evaluate(isWhole)).toBe(true);
  await page.keyboard.press('Escape');
  await page.setViewportSize(DESKTOP);
});

/** Runs in the page: which of the given elements are cut off, or outside the bar of the rooms. */
const findOutside = (bar: Element): readonly string[] => {
  const frame = bar.getBoundingClientRect();
  const parts = [
    ...bar.querySelectorAll('bdi:not(h2 *), a'),
    ...document.querySelectorAll('main header button[aria-label^="Follow up"]'),
  ];
  const outside = parts.filter((part) => {
    const { left, right, top, bottom } = part.getBoundingClientRect();
    const isInside =
      left >= frame.left && right <= frame.right && top >= frame.top && bottom <= frame.bottom;
    return !isInside || part.scrollWidth > part.clientWidth + 1;
  });
  return [`${parts.length} parts`, ...outside.map((part) => part.outerHTML.slice(0, 80))];
};

test('768 and 1024 px wide, the bar of a room shows the name, the rooms and the button in full', async () => {
  const page = user.page();
  await user.visit('/chat/c_001/team');
  await page.getByRole('button', { name: /^Follow up/ }).waitFor();
  const bar = page.getByRole('navigation', { name: 'Rooms' });
  const check = async (): Promise<void> => {
    for (const size of [
      { width: 768, height: 1024 },
      { width: 1024, height: 768 },
    ]) {
      await page.setViewportSize(size);
      // One name, three tabs, one button.
      await expect.poll(() => bar.evaluate(findOutside)).toEqual(['5 parts']);
    }
  };
  await check();
  await page.getByRole('button', { name: 'Expand clients' }).click();
  const clients = page.getByRole('navigation', { name: 'Clients' });
  await expect.poll(async () => (await clients.boundingBox())?.width).toBe(312);
  await check();
  await page.setViewportSize(DESKTOP);
});

test('an unknown address shows a not-found page with a link back', async () => {
  await user.visit('/no-such-page');
  await user
    .page()
    .getByRole('heading', { name: /not found/i })
    .waitFor();
  await shell.link('Home').click();
  await expect.poll(() => user.path()).toBe('/');
});

test(
  'every page is titled as a staff dashboard, even before its code runs',
  { tags: ['S1.7'] },
  async () => {
    const page = user.page();
    expect(await (await page.request.get(server.address)).text()).toMatch(
      /<title>.*Staff dashboard/i,
    );
    await user.visit('/');
    await expect.poll(() => page.title()).toBe('Replay Desk Staff Dashboard');
    for (const [path, name] of [
      ['/videos', 'Videos'],
      ['/nowhere', 'Page not found'],
    ] as const) {
      await user.visit(path);
      await expect.poll(() => page.title()).toBe(`${name} – Replay Desk Staff Dashboard`);
    }
  },
);

test('a page that scrolls is as wide as one that does not, and the chat fills the full width', async () => {
  await user.page().setViewportSize({ width: 1440, height: 300 });
  await user.visit('/');
  const main = user.page().locator('#main');
  await expect.poll(() => main.evaluate((one) => one.scrollHeight > one.clientHeight)).toBe(true);
  const scrolling = await main.evaluate((one) => one.clientWidth);
  await user.page().setViewportSize(DESKTOP);
  await user.visit('/videos');
  await user.page().getByRole('heading', { name: 'Videos' }).waitFor();
  expect(await main.evaluate((one) => one.clientWidth)).toBe(scrolling);
  await user.visit('/chat/c_001/team');
  await toRoomPage(user.page()).composer.waitFor();
  expect(await main.evaluate((one) => one.getBoundingClientRect().width - one.clientWidth)).toBe(0);
});
