import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { toRoomPage } from '#tests/support/page/room.ts';
import { toShellPage, waitUntilCurrent } from '#tests/support/page/shell.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { visitWithoutLateParts } from '#tests/support/browser/late-parts.ts';
import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';

/** More than any page has. */
const STOPS_MAX = 60;
/** A focus ring outside a control is at most this far away, CSS pixels. */
const AROUND_PX = 6;

let server: ServerProcess;
let user: User;

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server);
  await user.page().emulateMedia({ reducedMotion: 'reduce' });
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

/** In order; the other clients, and links in messages, are between them. */
const ROOM_STOPS = [
  'a Skip to content',
  'a HomeHome',
  'a DeliveriesDeliveries',
  'button User menu',
  'button Search clients',
  'button Expand clients',
  'a Maya Okafor',
  'a Team',
  'a General',
  'a Producers',
  'div Messages',
  'button Fetch more',
  'button Latest messages',
  'textarea Message',
  'button Send',
];

interface Stop {
  readonly name: string;
  readonly clip: { x: number; y: number; width: number; height: number } | undefined;
}

/** Runs in the page: the focused control, and where its ring may be visible. */
const readStop = (around: number): Stop | undefined => {
  const element = document.activeElement;
  if (element === null || element === document.body) return undefined;
  const name = element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 30);
  const box = element.getBoundingClientRect();
  const x = Math.max(0, box.left - around);
  const y = Math.max(0, box.top - around);
  const width = Math.min(innerWidth, box.right + around) - x;
  const height = Math.min(innerHeight, box.bottom + around) - y;
  const clip = width > 0 && height > 0 ? { x, y, width, height } : undefined;
  return { name: `${element.tagName.toLowerCase()} ${name}`, clip };
};

/** The next Tab goes to the first control of the page. */
const goToStart = async (): Promise<void> => {
  await user.page().getByRole('link', { name: 'Skip to content' }).focus();
  await user.page().keyboard.press('Shift+Tab');
};

/** Runs in the page. */
const dropFocus = (): void => {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
};

/** Tabs through a page; returns the stops, and those that do not show the focus. */
const tabThrough = async (): Promise<{ stops: readonly string[]; unseen: readonly string[] }> => {
  const page = user.page();
  const stops: string[] = [];
  const unseen: string[] = [];
  while (stops.length < STOPS_MAX) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(readStop, AROUND_PX);
    if (stop === undefined || stop.name === stops[0]) break;
    stops.push(stop.name);
    if (stop.clip === undefined) {
      unseen.push(stop.name);
      continue;
    }
    const focused = await page.screenshot({ clip: stop.clip });
    const handle = await page.evaluateHandle(() => document.activeElement);
    await page.evaluate(dropFocus);
    const plain = await page.screenshot({ clip: stop.clip });
    await handle.evaluate((element) => element instanceof HTMLElement && element.focus());
    if (focused.equals(plain)) unseen.push(stop.name);
  }
  return { stops, unseen };
};

describe.each(['none', 'active'] as const)('with forced colours: %s', (forcedColors) => {
  // Without cookies alone, a page would open with the stored session until it is refused.
  beforeAll(async () => {
    await user.startOver();
    await user.page().emulateMedia({ forcedColors, reducedMotion: 'reduce' });
  });

  test('signing in shows the position of the focus', async () => {
    await user.visit('/login');
    await user.page().getByRole('button', { name: 'Sign In' }).waitFor();
    // The first field has the focus.
    await expect
      .poll(() => user.page().evaluate(() => document.activeElement?.tagName))
      .toBe('INPUT');
    // The next Tab goes to the first control.
    await user.page().mouse.click(2, 2);
    const { stops, unseen } = await tabThrough();
    expect(unseen).toEqual([]);
    expect(stops).toEqual([
      'a Register',
      'input ',
      'input ',
      'button Show password',
      'button Sign In',
    ]);
  });

  test('every control of a room is reached by Tab and shows the focus', async () => {
    await user.signIn(PRODUCER);
    // Until then, clients whose rooms are read change their places.
    await waitUntilCurrent(user.page());
    await user.visit('/chat/c_001/team');
    // The button for the latest messages loads when it is first needed.
    await toRoomPage(user.page()).fetchMore.scrollIntoViewIfNeeded();
    const latest = user.page().getByRole('button', { name: 'Latest messages' });
    await latest.click();
    await latest.waitFor({ state: 'detached' });
    await goToStart();
    const { stops, unseen } = await tabThrough();
    expect(unseen).toEqual([]);
    const expected = new Set(ROOM_STOPS);
    expect(stops.filter((stop) => expected.has(stop))).toEqual(ROOM_STOPS);
  });
});

test('the skip link skips the navigation', async () => {
  await user.visit('/chat/c_001/team');
  const page = user.page();
  await toRoomPage(page).region.locator('[data-message-id]').first().waitFor();
  await goToStart();
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  expect((await skip.boundingBox())?.y).toBeGreaterThanOrEqual(0);
  const readPlace = () => page.evaluate(() => [location.href, history.length]);
  const before = await readPlace();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
  expect(await readPlace()).toEqual(before);
  await page.keyboard.press('Tab');
  const { main, clients } = toShellPage(page);
  expect(await main.locator(':focus').count()).toBe(0);
  expect(await clients.locator(':focus').count()).toBe(1);
});

/** Runs in the page: two frames, so that earlier changes are rendered. */
const waitUntilDrawn = async (): Promise<void> => {
  const frame = (): Promise<unknown> => new Promise((drawn) => requestAnimationFrame(drawn));
  await frame();
  await frame();
};

/** Opens a room while the user menu's chunk is still loading; `load` lets it arrive. */
const openWithoutMenu = async () => {
  const page = user.page();
  const release = await visitWithoutLateParts(user, '/chat/c_001/team');
  await toRoomPage(page).region.locator('[data-message-id]').first().waitFor();
  const load = async (): Promise<void> => {
    const loaded = page.waitForResponse((answer) => /\/screens[^/]*\.js$/.test(answer.url()));
    release();
    const answer = await loaded;
    await answer.finished();
    // As text: the import must run in the page.
    await page.evaluate(`import(${JSON.stringify(answer.url())}).then(() => undefined)`);
    await page.evaluate(waitUntilDrawn);
  };
  return { load, button: page.getByRole('button', { name: 'User menu' }) };
};

test('a menu that loads late does not interrupt the user’s next action', async () => {
  const page = user.page();
  const room = toRoomPage(page);
  const { load, button } = await openWithoutMenu();
  await button.click();
  await room.composer.click();
  await page.keyboard.type('still ');
  await load();
  await page.keyboard.type('typing');
  expect(await room.composer.inputValue()).toBe('still typing');
  expect(await page.getByRole('menuitem').count()).toBe(0);
  await room.composer.fill('');
});

test('a menu that arrives while its button is pressed opens by that click', async () => {
  const page = user.page();
  const { load, button } = await openWithoutMenu();
  const before = await button.elementHandle();
  await button.hover();
  await page.mouse.down();
  await load();
  await page.mouse.up();
  const logout = page.getByRole('menuitem', { name: 'Logout' });
  await logout.waitFor();
  expect(await logout.count()).toBe(1);
  // A press can happen at any moment, so nothing may replace the button.
  expect(await button.evaluate((now, then) => now === then, before)).toBe(true);
  await page.keyboard.press('Escape');
  await logout.waitFor({ state: 'hidden' });
  expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
});

test('a menu opens by its click even if the room takes the focus meanwhile', async () => {
  const page = user.page();
  const { load, button } = await openWithoutMenu();
  await button.click();
  await toRoomPage(page).composer.evaluate((field) => field.focus());
  await load();
  await page.getByRole('menuitem', { name: 'Logout' }).waitFor();
  await button.click();
  await page.getByRole('menuitem', { name: 'Logout' }).waitFor({ state: 'hidden' });
  expect(await button.getAttribute('aria-expanded')).toBe('false');
});
