import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { toRoomPage } from '#tests/support/page/room.ts';
import { toShellPage } from '#tests/support/page/shell.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { createUser, PRODUCER, submitSignIn, type User } from '#tests/support/browser/user.ts';

const ROOM = '/chat/c_001/general';

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
beforeEach(async () => {
  await user.startOver();
  await user.signInByForm(PRODUCER, ROOM);
  await toRoomPage(user.page()).composer.waitFor();
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

const isLogin = (url: URL): boolean => url.pathname === '/login';

test(
  'signing out opens the form, and going back does not show the conversation',
  { tags: ['S1.4', 'S6.3'] },
  async () => {
    const shell = toShellPage(user.page());
    await shell.rooms.getByRole('link', { name: 'Team' }).click();
    await user.page().waitForURL(`${server.address}/chat/c_001/team`);
    await shell.chooseFromUserMenu('Logout');
    await user.page().waitForURL(isLogin);
    await user.page().goBack();
    await user.page().waitForURL(isLogin);
    await expect.poll(() => toRoomPage(user.page()).region.count()).toBe(0);
  },
);

test('all tabs follow a sign-out', { tags: ['S4.3'] }, async () => {
  // Both notify the server; the second request has no session any more.
  user.problems.allow(/status of 400 .*\/signout/);
  const first = user.page();
  const second = await user.openTab();
  await user.visit('/chat/c_002/team');
  await toShellPage(second).chooseFromUserMenu('Logout');
  await Promise.all([first.waitForURL(isLogin), second.waitForURL(isLogin)]);
  await expect.poll(() => toRoomPage(first).region.count()).toBe(0);
});

test(
  'a session that ended on the server is detected when the page becomes visible',
  { tags: ['S4.2'] },
  async () => {
    user.problems.allow(/401/);
    await user.page().context().clearCookies();
    await user.page().evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await user.page().waitForURL(isLogin);
    const query = new URL(user.page().url()).searchParams;
    expect(query.get('error')).toBe('SessionRequired');
    expect(query.get('callbackUrl')).toBe(`${server.address}${ROOM}`);
  },
);

test('a sign-in succeeds while an earlier sign-out is being reported', async () => {
  const page = user.page();
  const submitted = Promise.withResolvers<void>();
  const order: string[] = [];
  await page.route('**/api/auth/signout', async (route) => {
    await submitted.promise;
    const response = await route.fetch();
    order.push('sign-out');
    await route.fulfill({ response });
  });
  await page.route('**/api/auth/callback/credentials', async (route) => {
    order.push('sign-in');
    await route.continue();
  });
  await toShellPage(page).chooseFromUserMenu('Logout');
  await page.waitForURL(isLogin);
  await submitSignIn(page, PRODUCER);
  // Long enough for a sign-in that does not wait.
  await page.evaluate(() => fetch('/api/auth/csrf').then(() => fetch('/api/auth/session')));
  submitted.resolve();
  await expect.poll(() => isLogin(new URL(page.url()))).toBe(false);
  expect(order).toEqual(['sign-out', 'sign-in']);
  await page.unrouteAll();
});

test('web storage and caches contain nothing of the conversations', async () => {
  const kept = await user.page().evaluate(async () => {
    const caught: string[] = [JSON.stringify(localStorage), JSON.stringify(sessionStorage)];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) caught.push(request.url);
    }
    return caught.join('\n');
  });
  expect(kept).not.toMatch(/Okafor|producer@example\.com|u_producer|\/api\//);
});
