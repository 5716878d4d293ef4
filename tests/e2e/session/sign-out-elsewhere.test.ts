import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { csrfAnswerSchema } from '#domain/schemas/session.ts';
import { readIndexedDb } from '#tests/support/page/indexed-db-dump.ts';
import { toRoomPage } from '#tests/support/page/room.ts';
import { toShellPage } from '#tests/support/page/shell.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import {
  createUser,
  PRODUCER,
  submitSignIn,
  TEAM,
  type User,
} from '#tests/support/browser/user.ts';

const ROOM = '/chat/c_005/general';

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
  user.problems.allow(/ERR_INTERNET_DISCONNECTED|Failed to load resource|CLIENT_FETCH_ERROR/);
  await user.signInByForm(PRODUCER, ROOM);
  await toRoomPage(user.page()).composer.waitFor();
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

/** Runs in the page: number of tabs with stored drafts. */
const countStoredDrafts = async (): Promise<number> => {
  const names = (await indexedDB.databases()).flatMap(({ name }) => name ?? []);
  const name = names.find((one) => one.startsWith('replay-desk-user-'));
  const opening = indexedDB.open(name ?? '');
  await new Promise((resolve) => (opening.onsuccess = resolve));
  const counting = opening.result.transaction('drafts').objectStore('drafts').count();
  await new Promise((resolve) => (counting.onsuccess = resolve));
  opening.result.close();
  return counting.result;
};

const isLogin = (url: URL): boolean => url.pathname === '/login';
const sent = '[data-state="sent"][data-own="true"]';

test('a session that ended while offline is detected on return; unsent messages wait for their author', async () => {
  const page = user.page();
  const room = toRoomPage(page);
  await user.goOffline();
  await room.send('written without a session');
  await page.context().clearCookies();
  await user.goOnline();
  await page.waitForURL(isLogin);
  await expect.poll(() => room.region.count()).toBe(0);
  await submitSignIn(page, TEAM);
  await toShellPage(page).main.waitFor();
  await user.visit(ROOM);
  await room.composer.waitFor();
  // It may have been sent under its author's name, with the token that was still valid.
  const own = page.locator('[data-own="true"]');
  expect(await room.message('written without a session').and(own).count()).toBe(0);
  await toShellPage(page).chooseFromUserMenu('Logout');
  await page.waitForURL(isLogin);
  await submitSignIn(page, PRODUCER);
  await toShellPage(page).main.waitFor();
  await user.visit(ROOM);
  await room.message('written without a session').and(page.locator(sent)).waitFor();
  expect(await room.message('written without a session').count()).toBe(1);
});

test('a session signed out elsewhere while offline is detected on return', async () => {
  const page = user.page();
  const cookies = await page.context().cookies();
  await user.goOffline();
  const headers = { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') };
  const csrf = await fetch(`${server.address}/api/auth/csrf`, { headers });
  const { csrfToken } = csrfAnswerSchema.parse(await csrf.json());
  const answer = await fetch(`${server.address}/api/auth/signout`, {
    method: 'POST',
    headers: { ...headers, origin: server.address },
    body: new URLSearchParams({ csrfToken, callbackUrl: server.address, json: 'true' }),
  });
  expect(answer.status).toBe(200);
  await user.goOnline();
  await page.waitForURL(isLogin);
  await expect.poll(() => toRoomPage(page).region.count()).toBe(0);
});

test('a tab that follows a sign-out drops its address and its drafts', async () => {
  const first = user.page();
  const second = await user.openTab();
  await user.visit(ROOM);
  const room = toRoomPage(second);
  await room.composer.fill('typed in the second tab');
  await expect.poll(() => second.evaluate(countStoredDrafts)).toBe(1);
  await toShellPage(first).chooseFromUserMenu('Logout');
  const question = first.getByRole('dialog', { name: 'Sign out?' });
  await question.getByRole('button', { name: 'Sign out', exact: true }).click();
  await Promise.all([first.waitForURL(isLogin), second.waitForURL(isLogin)]);
  expect(new URL(second.url()).search).toBe('');
  await submitSignIn(second, PRODUCER);
  await toShellPage(second).main.waitFor();
  await second.evaluate((path) => {
    history.pushState(undefined, '', path);
    dispatchEvent(new PopStateEvent('popstate'));
  }, ROOM);
  await room.composer.pressSequentially('typed after it');
  // By then, stored drafts have been restored.
  await expect.poll(async () => (await readIndexedDb(second)).text).toContain('typed after it');
  expect(await room.composer.inputValue()).toBe('typed after it');
  expect((await readIndexedDb(second)).text).not.toContain('typed in the second tab');
});

test('another user signs in in another tab: nothing of the first is sent under that name', async () => {
  const first = user.page();
  await user.goOffline();
  await toRoomPage(first).send('the first user wrote this');
  const second = await user.openTab();
  await second.context().clearCookies();
  await user.goOnline();
  await user.visit('/login');
  await submitSignIn(second, TEAM);
  await toShellPage(second).main.waitFor();
  await user.visit(ROOM);
  const room = toRoomPage(second);
  await room.send('the second user wrote this');
  await room.message('the second user wrote this').and(second.locator(sent)).waitFor();
  const texts = (await room.readAll()).filter(({ text }) => text.includes('the first user'));
  const own = await second.locator('[data-own="true"]', { hasText: 'the first user' }).count();
  expect(texts.length).toBeLessThanOrEqual(1);
  expect(own).toBe(0);
});
