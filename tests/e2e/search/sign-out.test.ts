import { afterAll, beforeAll, expect, test } from 'vitest';

import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { toRoomPage } from '#tests/support/page/room.ts';
import { toShellPage } from '#tests/support/page/shell.ts';
import {
  createUser,
  PRODUCER,
  submitSignIn,
  TEAM,
  type User,
} from '#tests/support/browser/user.ts';

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

const ROOM = '/chat/c_001/team';
const field = () => user.page().getByRole('searchbox', { name: 'Search messages' });
const results = () => user.page().getByRole('list', { name: 'Results' }).getByRole('link');
const coverage = () => user.page().getByRole('status', { name: 'Coverage' });

/** Opens the search page without reloading, so that data in memory would still be there. */
const openSearch = async (): Promise<void> => {
  await user.page().keyboard.press('Control+k');
  await user.page().getByRole('combobox').fill('search messages');
  await user.page().getByRole('option', { name: 'Search messages' }).click();
  await expect
    .poll(() => coverage().innerText())
    .toMatch(/Searched [\d,]+ messages on this device/);
};

test('a sign-out ends the search and its memory; the next user finds only their own messages', async () => {
  await user.signIn(PRODUCER, ROOM);
  const room = toRoomPage(user.page());
  await room.send('Only in the browser of the first user: zebra crossing.');
  await room.message('zebra crossing').and(room.region.locator('[data-state="sent"]')).waitFor();
  await user.visit('/search?q=zebra');
  await expect.poll(() => results().count()).toBe(1);
  expect(user.page().workers()).toHaveLength(1);

  await toShellPage(user.page()).chooseFromUserMenu('Logout');
  await user.page().waitForURL((url) => url.pathname === '/login');
  await expect.poll(() => user.page().workers().length).toBe(0);
  await user.page().goBack();
  await user.page().getByRole('button', { name: 'Sign In' }).waitFor();
  expect(user.page().workers()).toHaveLength(0);

  await user.page().route('**/api/realtime/**', (route) => route.abort());
  await submitSignIn(user.page(), TEAM);
  await toShellPage(user.page()).main.waitFor();
  await user.visit('/search?q=zebra');
  await expect.poll(() => coverage().innerText()).toContain('no messages on this device');
  expect(await results().count()).toBe(0);

  await user.page().unrouteAll({ behavior: 'ignoreErrors' });
  await user.visit(ROOM);
  await room.message('zebra crossing').waitFor();
  await openSearch();
  await field().fill('zebra');
  await expect.poll(() => results().count()).toBe(1);
});
