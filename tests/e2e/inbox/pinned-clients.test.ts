import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import {
  createUser,
  DESKTOP,
  PHONE,
  PRODUCER,
  TEAM,
  type User,
} from '#tests/support/browser/user.ts';
import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { turnPin } from '#tests/support/page/pins.ts';
import { openByShortcut, toShellPage, waitUntilCurrent } from '#tests/support/page/shell.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';

let server: ServerProcess;
/** Two devices of one user, one of another. */
let desk: User;
let phone: User;
let colleague: User;

const openDevice = async (account = PRODUCER): Promise<User> => {
  const user = await createUser(server);
  user.problems.allow(NETWORK_AWAY);
  await user.signIn(account);
  // Until then, clients whose rooms are read change their places.
  await waitUntilCurrent(user.page());
  await user.visit('/chat/c_001/team');
  await toShellPage(user.page()).client('Maya Okafor').waitFor();
  return user;
};

beforeAll(async () => {
  server = await startServer();
  desk = await openDevice();
  phone = await openDevice();
  colleague = await openDevice(TEAM);
});
afterAll(async () => {
  for (const user of [desk, phone, colleague]) await user.dispose();
  await server.dispose();
});
afterEach(() => {
  for (const user of [desk, phone, colleague]) expect(user.problems.take()).toEqual([]);
});

const button = (user: User, name: string) => user.page().getByRole('button', { name, exact: true });

/** The clients in keyboard order, which must equal their order on the screen. */
const readClients = async (user: User): Promise<readonly string[]> => {
  const links = toShellPage(user.page()).clients.getByRole('link');
  const read = await links.evaluateAll((all) =>
    all.map((link) => ({
      name: link.dataset['hoverLabel'] ?? '',
      top: link.getBoundingClientRect().top,
    })),
  );
  expect(read).toEqual(read.toSorted((a, b) => a.top - b.top));
  return read.map(({ name }) => name);
};

/** Waits until the first clients are these. */
const waitForFirst = async (user: User, ...names: readonly string[]): Promise<void> => {
  const readFirst = async () => (await readClients(user)).slice(0, names.length);
  await expect.poll(readFirst).toEqual(names);
};

const describe = (user: User, name: string) =>
  toShellPage(user.page()).client(name).getAttribute('aria-description');

const KENJI = 'Kenji Watanabe';
const DESMOND = 'Desmond Hargreaves';

/** Opens the rooms of a client and pins it there. */
const pin = async (user: User, path: string, name: string): Promise<void> => {
  await user.visit(path);
  await button(user, `Pin ${name} to the top`).waitFor();
  await turnPin(user.page(), 'Pin');
};

test("a client pinned on one device comes first on the user's others, but not for another user", async () => {
  const before = await readClients(desk);
  expect(before[0]).not.toBe(KENJI);
  await pin(desk, '/chat/c_009/general', KENJI);
  for (const user of [desk, phone]) {
    await waitForFirst(user, KENJI);
    expect(await describe(user, KENJI)).toMatch(/^(?:\d+ unread, )?Pinned/);
  }
  await phone.page().reload();
  await waitForFirst(phone, KENJI);
  await colleague.visit('/chat/c_009/general');
  await button(colleague, `Pin ${KENJI} to the top`).waitFor();
  expect((await readClients(colleague))[0]).not.toBe(KENJI);
  expect((await describe(colleague, KENJI)) ?? '').not.toContain('Pinned');
  await phone.visit('/chat/c_009/team');
  await openByShortcut(phone.page(), 'Control+k');
  await phone.page().getByRole('combobox').fill('unpin');
  await phone
    .page()
    .getByRole('option', { name: `Unpin ${KENJI}` })
    .click();
  for (const user of [desk, phone]) await waitForFirst(user, ...before.slice(0, 3));
});

test('a client pinned without a network comes first everywhere after the return', async () => {
  await phone.page().setViewportSize(PHONE);
  await phone.visit('/chat/c_007');
  await button(phone, `Pin ${DESMOND} to the top`).waitFor();
  await phone.goOffline();
  await turnPin(phone.page(), 'Pin');
  await button(phone, `Unpin ${DESMOND}`).waitFor();
  await phone.visit('/chat');
  await waitForFirst(phone, DESMOND);
  expect((await readClients(desk))[0]).not.toBe(DESMOND);
  await phone.goOnline();
  await waitForFirst(desk, DESMOND);
  await button(desk, 'Expand clients').click();
  await waitForFirst(desk, DESMOND);
  expect(await describe(desk, DESMOND)).toContain('Pinned');
});

test('in a narrow window the button is visible above the tabs, and before them in keyboard order', async () => {
  await desk.page().setViewportSize({ width: 768, height: 900 });
  const rooms = desk.page().getByRole('navigation', { name: 'Rooms' });
  const pin = rooms.getByRole('button', { name: /^(?:Pin|Unpin) / });
  await pin.waitFor();
  const [box, tab] = [await pin.boundingBox(), await rooms.getByRole('link').first().boundingBox()];
  // The clients are expanded: there is no space for the tabs on the same line.
  expect((box?.y ?? NaN) + (box?.height ?? NaN)).toBeLessThanOrEqual(tab?.y ?? NaN);
  await rooms.getByRole('link').first().focus();
  await desk.page().keyboard.press('Shift+Tab');
  await pin.and(desk.page().locator(':focus')).waitFor();
  await desk.page().setViewportSize(DESKTOP);
});

test('pinned clients come first in both orders and in a filter; a search keeps its order', async () => {
  const show = (name: string) => desk.page().getByRole('radio', { name }).click();
  const search = async () => {
    await button(desk, 'Search clients').click();
    await desk.page().getByRole('searchbox', { name: 'Search clients' }).fill('e');
    await desk
      .page()
      .getByText(/clients found$/)
      .waitFor();
    const found = await readClients(desk);
    await button(desk, 'Close search').click();
    return found;
  };
  await desk.visit('/chat/c_007/general');
  await button(desk, `Unpin ${DESMOND}`).click();
  await button(desk, `Pin ${DESMOND} to the top`).waitFor();
  const all = await readClients(desk);
  const found = await search();
  await show('Needs reply');
  // The list is empty until the waiting clients are known.
  await expect.poll(async () => (await readClients(desk)).length).toBeGreaterThan(2);
  const waiting = await readClients(desk);
  const pinned = waiting.slice(-2);
  // The order of pinning does not matter.
  for (const name of pinned.toReversed()) {
    await toShellPage(desk.page()).client(name).click();
    await button(desk, `Pin ${name} to the top`).click();
    await button(desk, `Unpin ${name}`).waitFor();
  }
  const isPinned = (name: string) => pinned.includes(name);
  const arrange = (names: readonly string[]) => [
    ...names.filter(isPinned),
    ...names.filter((name) => !isPinned(name)),
  ];
  await waitForFirst(desk, ...arrange(waiting));
  await show('All');
  await waitForFirst(desk, ...arrange(all));
  expect(await search()).toEqual(found);
  await button(desk, 'Order by name').click();
  const names = new Intl.Collator('en', { sensitivity: 'base', numeric: true });
  await waitForFirst(desk, ...arrange(all.toSorted(names.compare)));
});
