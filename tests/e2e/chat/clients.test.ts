import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { toRoomPage } from '#tests/support/page/room.ts';
import { openByShortcut, type ShellPage, toShellPage } from '#tests/support/page/shell.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';

let server: ServerProcess;
let user: User;
let shell: ShellPage;

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server);
  await user.signIn(PRODUCER, '/chat');
  shell = toShellPage(user.page());
  await shell.client('Maya Okafor').waitFor();
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

const button = (name: string) => user.page().getByRole('button', { name, exact: true });
const clientLinks = () => shell.clients.getByRole('link');
const widthOf = async (): Promise<number> => (await shell.clients.boundingBox())?.width ?? 0;

test(
  'the client column is 72 wide, and 312 when expanded',
  { tags: ['S2.13', 'S9.4'] },
  async () => {
    await expect.poll(widthOf).toBe(72);
    await button('Expand clients').click();
    await expect.poll(widthOf).toBe(312);
    await button('Collapse clients').click();
    await expect.poll(widthOf).toBe(72);
  },
);

/** The names of the two buttons above the clients, in focus order and in reading order. */
const readOrders = async () => {
  await button('User menu').focus();
  const stops: { readonly name: string | null; readonly x: number; readonly y: number }[] = [];
  for (let count = 0; count < 2; count += 1) {
    await user.page().keyboard.press('Tab');
    const focused = shell.clients.locator(':focus');
    const { x = 0, y = 0 } = (await focused.boundingBox()) ?? {};
    stops.push({ name: await focused.getAttribute('aria-label'), x, y });
  }
  const read = stops.toSorted((a, b) => a.y - b.y || a.x - b.x);
  return { focused: stops.map(({ name }) => name), read: read.map(({ name }) => name) };
};

test('above the clients the focus moves in reading order, collapsed and expanded', async () => {
  const collapsed = await readOrders();
  expect(new Set(collapsed.focused)).toEqual(new Set(['Expand clients', 'Search clients']));
  expect(collapsed.focused).toEqual(collapsed.read);
  await button('Expand clients').click();
  await expect.poll(widthOf).toBe(312);
  const expanded = await readOrders();
  await button('Collapse clients').click();
  expect(new Set(expanded.focused)).toEqual(new Set(['Collapse clients', 'Search clients']));
  expect(expanded.focused).toEqual(expanded.read);
});

test(
  'search filters by first and last name, case-insensitively; closing clears it',
  { tags: ['S2.14', 'S3.7', 'S4.9', 'S5.5'] },
  async () => {
    const all = await clientLinks().count();
    expect(all).toBeGreaterThanOrEqual(14);
    await button('Search clients').click();
    const field = user.page().getByRole('searchbox', { name: 'Search clients' });
    await field.fill('A OKAF');
    await expect.poll(() => clientLinks().count()).toBe(1);
    await shell.client('Maya Okafor').waitFor();
    await field.fill('no such client');
    await expect.poll(() => clientLinks().count()).toBe(0);
    await button('Close search').click();
    await expect.poll(() => clientLinks().count()).toBe(all);
    await button('Search clients').click();
    expect(await user.page().getByRole('searchbox').inputValue()).toBe('');
    await button('Close search').click();
  },
);

test.each([
  ['echeverria', /Echeverría/],
  ['okafor maya', /^Maya Okafor$/],
  ['O’Sullivan', /O'Sullivan/],
  ['kjaergaard', /Kjærgaard/],
  ['soren kjaer', /^Søren Kjærgaard$/],
])('search and palette find a client by %s', async (query, name) => {
  await button('Search clients').click();
  await user.page().getByRole('searchbox', { name: 'Search clients' }).fill(query);
  await expect.poll(() => clientLinks().count()).toBe(1);
  await shell.clients.getByRole('link', { name }).waitFor();
  await button('Close search').click();
  await openByShortcut(user.page(), 'Control+k');
  await user.page().getByRole('combobox').fill(query);
  const found = user.page().getByRole('option', { selected: true });
  await expect.poll(() => found.innerText()).toMatch(name);
  await user.page().keyboard.press('Escape');
});

test(
  'a client opens three rooms, a room opens its thread',
  { tags: ['S1.2', 'S2.15'] },
  async () => {
    await shell.client('Maya Okafor').click();
    await user.page().waitForURL(`${server.address}/chat/c_001/team`);
    await user.page().getByRole('heading', { name: 'Maya Rooms', exact: true }).waitFor();
    const names = await shell.rooms.getByRole('link').allInnerTexts();
    expect(names.map((name) => name.split('\n')[0])).toEqual(['Team', 'General', 'Producers']);
    await shell.rooms.getByRole('link', { name: 'General' }).click();
    await user.page().waitForURL(`${server.address}/chat/c_001/general`);
    const current = shell.rooms.locator('[aria-current="page"]');
    await expect.poll(() => current.getAttribute('href')).toBe('/chat/c_001/general');
    await toRoomPage(user.page()).region.locator('[data-message-id]').first().waitFor();
  },
);

test.each(['/chat/c_999', '/chat/c_999/team', '/chat/%2E%2E%2F/team', '/chat/c_001/attic'])(
  '%s does not exist, and the page reports it',
  { tags: ['S2.3'] },
  async (path) => {
    await user.visit(path);
    await user
      .page()
      .getByRole('heading', { name: /not found|unknown|no such/i })
      .waitFor();
    expect(await toRoomPage(user.page()).composer.count()).toBe(0);
    await shell.client('Maya Okafor').click();
    await user.page().getByRole('heading', { name: 'Maya Rooms' }).waitFor();
  },
);
