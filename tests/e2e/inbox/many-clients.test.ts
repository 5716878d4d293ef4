import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { type ShellPage, toShellPage, waitUntilCurrent } from '#tests/support/page/shell.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';

const TEAMS = '**/api/proxy/staff/teams';

let server: ServerProcess;
let user: User;
let room: RoomPage;
let shell: ShellPage;

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server);
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});
beforeEach(async () => {
  await user.startOver();
  room = toRoomPage(user.page());
  shell = toShellPage(user.page());
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

const button = (name: string) => user.page().getByRole('button', { name, exact: true });
const rows = () => shell.clients.getByRole('link');
/** The client's place from the top. */
const placeOf = (name: string) =>
  shell.client(name).locator('xpath=..').getAttribute('aria-posinset');

const MANY = Array.from({ length: 5000 }, (_, n) => ({
  client_id: `c_${n + 1000}`,
  client: { first_name: 'Client', last_name: `No ${n + 1}` },
}));
/** The whole row of the client is visible. */
const isInList = async (name: string): Promise<boolean> => {
  const [row, list] = [shell.client(name), shell.clients.getByRole('list').locator('xpath=..')];
  if ((await row.count()) === 0) return false;
  const [inner, outer] = [await row.boundingBox(), await list.boundingBox()];
  if (inner === null || outer === null) return false;
  return inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height;
};

test('of 5,000 clients only those near the visible part are rendered, and all can be reached', async () => {
  // The engine has none of these clients.
  user.problems.allow(/410/);
  await user.page().route(TEAMS, (route) => route.fulfill({ json: MANY }));
  await user.signIn(PRODUCER, '/chat');
  await shell.client('Client No 1').waitFor();
  await button('Expand clients').click();
  expect(await rows().count()).toBeLessThan(60);
  const list = shell.clients.getByRole('list');
  await list.evaluate((element) => element.parentElement?.scrollTo(0, element.scrollHeight));
  await shell.client('Client No 5000').waitFor();
  expect(await placeOf('Client No 5000')).toBe('5000');
  expect(await rows().count()).toBeLessThan(60);
  await button('Search clients').click();
  const search = user.page().getByRole('searchbox', { name: 'Search clients' });
  await search.fill('no 4');
  await expect.poll(() => isInList('Client No 4')).toBe(true);
  await search.fill('no 4321');
  await expect.poll(() => rows().count()).toBe(1);
  await shell.client('Client No 4321').waitFor();
});

test('the list follows the client that is opened elsewhere, and no click in it', async () => {
  user.problems.allow(/410/);
  await user.page().route(TEAMS, (route) => route.fulfill({ json: MANY }));
  await user.signIn(PRODUCER, '/chat/c_3000/team');
  await expect.poll(() => isInList('Client No 2001')).toBe(true);
  const list = shell.clients.getByRole('list').locator('xpath=..');
  // A row that is cut at the top stays so.
  await list.evaluate((element) => element.scrollTo(0, 20));
  // The driver's own click may scroll.
  const row = await shell.client('Client No 1').boundingBox();
  const { mouse } = user.page();
  await mouse.move(row!.x + 10, row!.y + 50);
  await mouse.down();
  // A room that opens at this moment takes the focus.
  await room.composer.focus();
  await mouse.up();
  await user.page().waitForURL('**/chat/c_1000/team');
  await room.composer.waitFor();
  await expect.poll(() => list.evaluate((element) => element.scrollTop)).toBe(20);
  await user.page().goBack();
  await user.page().waitForURL('**/chat/c_3000/team');
  await expect.poll(() => isInList('Client No 2001')).toBe(true);
  // Also if the column is new.
  await shell.link('Home').click();
  await shell.clients.waitFor({ state: 'detached' });
  await user.page().goBack();
  await expect.poll(() => isInList('Client No 2001')).toBe(true);
  // The rows get another height, but the same clients stay in view.
  // The navigation below the pointer is expanded.
  await mouse.move(700, 400);
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
  await expect.poll(() => isInList('Client No 2502')).toBe(true);
  await button('Expand clients').click();
  await button('Collapse clients').waitFor();
  await expect.poll(() => isInList('Client No 2502')).toBe(true);
  await button('Collapse clients').click();
  await button('Expand clients').waitFor();
  await expect.poll(() => isInList('Client No 2502')).toBe(true);
});

test('the list follows the open client that moves, but not under the pointer', async () => {
  const page = user.page();
  await page.setViewportSize({ width: 1440, height: 700 });
  await user.signIn(PRODUCER);
  // Until then, clients whose rooms are read change their places.
  await waitUntilCurrent(page);
  await user.visit('/chat');
  await button('Expand clients').click();
  const list = shell.clients.getByRole('list').locator('xpath=..');
  const lastName = () =>
    shell.clients.locator('li[aria-posinset="16"] a').getAttribute('data-hover-label');
  const openLast = async (): Promise<string> => {
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    const name = (await lastName()) ?? '';
    await shell.client(name).click();
    await room.composer.fill('On it.');
    return name;
  };
  const first = await openLast();
  await room.composer.hover();
  expect(await isInList(first)).toBe(true);
  await room.composer.press('Enter');
  await expect.poll(() => placeOf(first)).toBe('1');
  await expect.poll(() => isInList(first)).toBe(true);
  const second = await openLast();
  await list.hover();
  await room.composer.press('Enter');
  await expect.poll(() => placeOf(second)).toBe('1');
  expect(await isInList(second)).toBe(false);
});
