import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { toRoomPage } from '#tests/support/page/room.ts';
import { toShellPage } from '#tests/support/page/shell.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { createUser, PRODUCER, submitSignIn, type User } from '#tests/support/browser/user.ts';

const ROOM = '/chat/c_006/general';
/** Twenty times the time that signing in and writing take on a quiet machine. */
const SESSION_SECONDS = 60;

let server: ServerProcess;
let user: User;

beforeAll(async () => {
  server = await startServer({ SESSION_MAX_AGE: String(SESSION_SECONDS) });
});
afterAll(() => server.dispose());
beforeEach(async () => {
  user = await createUser(server, 'whole');
  user.problems.allow(/ERR_INTERNET_DISCONNECTED|Failed to load resource|CLIENT_FETCH_ERROR/);
  await user.signInByForm(PRODUCER, ROOM);
  await toRoomPage(user.page()).composer.waitFor();
  await user.page().evaluate(async () => void (await navigator.serviceWorker.ready));
});
afterEach(async () => {
  const problems = user.problems.take();
  await user.dispose();
  expect(problems).toEqual([]);
});

test('a session that expires offline signs the user out with the reason, and loses nothing', async () => {
  const room = toRoomPage(user.page());
  await user.goOffline();
  await room.send('written before the end');
  await user.page().waitForURL((url) => url.pathname === '/login');
  await user.page().getByText('Sign in to continue to your page.').waitFor();
  await expect.poll(() => room.region.count()).toBe(0);
  await user.visit(ROOM);
  await user.page().waitForURL((url) => url.pathname === '/login');
  expect(await user.page().getByText('written before the end').count()).toBe(0);
  await user.closeBrowser();
  await user.openBrowser({ offline: true });
  await user.visit(ROOM);
  await user.page().waitForURL((url) => url.pathname === '/login');
  await user.goOnline();
  await submitSignIn(user.page(), PRODUCER);
  await toShellPage(user.page()).main.waitFor();
  const own = user.page().locator('[data-state="sent"][data-own="true"]');
  await toRoomPage(user.page()).message('written before the end').and(own).waitFor();
});
