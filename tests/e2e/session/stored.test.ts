import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { endNoLongDelay } from '#tests/support/page/long-delays.ts';
import { holdRequests } from '#tests/support/browser/hold-requests.ts';
import { toRoomPage } from '#tests/support/page/room.ts';
import { toShellPage } from '#tests/support/page/shell.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import {
  type Account,
  createUser,
  PRODUCER,
  TEAM,
  type User,
} from '#tests/support/browser/user.ts';
import { untilPasses } from '#tests/support/wait-for.ts';

const SESSION = '**/api/auth/session';
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
  await user.signIn(PRODUCER, ROOM);
  await waitForMessages();
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

const waitForMessages = (): Promise<void> =>
  toRoomPage(user.page()).region.locator('[data-message-id]').first().waitFor();

test('a stored session shows the conversation before the server answers', async () => {
  await user.page().addInitScript(endNoLongDelay);
  const { asked, release } = await holdRequests(user.page(), SESSION);
  await user.page().reload();
  await asked;
  await waitForMessages();
  const answered = user.page().waitForResponse((one) => one.url().endsWith('/api/auth/session'));
  release();
  expect(await (await answered).json()).toMatchObject({ user: { uid: PRODUCER.uid } });
  expect(await toRoomPage(user.page()).composer.isVisible()).toBe(true);
});

test('an answer without a session closes the conversation that was open', async () => {
  user.problems.allow(/401/);
  const { release } = await holdRequests(user.page(), SESSION);
  await user.page().context().clearCookies();
  await user.page().reload();
  await waitForMessages();
  release();
  await user.page().waitForURL((url) => url.pathname === '/login');
  const query = new URL(user.page().url()).searchParams;
  expect(query.get('error')).toBe('SessionRequired');
  expect(query.get('callbackUrl')).toBe(`${server.address}${ROOM}`);
  expect(await toRoomPage(user.page()).region.count()).toBe(0);
});

test('a sign-out in another tab closes a conversation that still waits for the server', async () => {
  // The waiting tab may be requesting a token at that moment.
  user.problems.allow(/401/);
  const first = user.page();
  const waiting = await user.openTab();
  const { asked, release } = await holdRequests(user.page(), SESSION);
  await user.visit(ROOM);
  await asked;
  await waitForMessages();
  await toShellPage(first).chooseFromUserMenu('Logout');
  await first.waitForURL((url) => url.pathname === '/login');
  await waiting.waitForURL((url) => url.pathname === '/login');
  release();
  await waiting.getByRole('button', { name: 'Sign In' }).waitFor();
  expect(await toRoomPage(waiting).region.count()).toBe(0);
});

/** Signs in elsewhere in this browser: only the cookie changes. */
const changeCookie = (account: Account): Promise<void> =>
  user.page().evaluate(async ({ email, password }) => {
    const csrf: unknown = await (await fetch('/api/auth/csrf')).json();
    const { csrfToken } = csrf as { csrfToken: string };
    const body = new URLSearchParams({ email, password, csrfToken, json: 'true' });
    await fetch('/api/auth/callback/credentials', { method: 'POST', body });
  }, account);

/** Runs in the page: the browser refuses to store a session. */
const refuseSession = (): void => {
  const { prototype } = IDBObjectStore;
  const put = Object.getOwnPropertyDescriptor(prototype, 'put')?.value as typeof prototype.put;
  prototype.put = function refuse(this: IDBObjectStore, ...args) {
    if (this.name === 'sessions') throw new DOMException('refused', 'QuotaExceededError');
    return put.apply(this, args);
  };
};

/** Waits until the user menu names a user; the pages of another one close with their menu. */
const waitForUser = (page: Page, account: Account): Promise<void> =>
  untilPasses(async () => {
    if ((await page.getByRole('menuitem').count()) === 0) {
      await page.getByRole('button', { name: 'User menu' }).click();
    }
    expect(await page.getByText(account.email).count()).toBe(1);
  });

test('a conversation closes for another user, and stays closed if their session cannot be stored', async () => {
  user.problems.allow(/CLIENT_SESSION_ERROR|401/);
  const first = user.page();
  // Otherwise this tab could store the session before it is closed.
  await first.evaluate(refuseSession);
  await changeCookie(TEAM);
  const page = await user.openTab();
  await first.close();
  await page.addInitScript(refuseSession);
  await user.visit(ROOM);
  await waitForUser(page, TEAM);
  const { asked, release } = await holdRequests(user.page(), SESSION);
  await page.reload();
  // The stored session was read before that.
  await asked;
  await page.getByRole('status', { name: 'Loading', exact: true }).waitFor();
  expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(0);
  release();
  await waitForUser(page, TEAM);
});
