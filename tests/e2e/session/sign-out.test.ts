import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { readIndexedDb } from '#tests/support/page/indexed-db-dump.ts';
import { turnPin } from '#tests/support/page/pins.ts';
import { toRoomPage } from '#tests/support/page/room.ts';
import { toShellPage } from '#tests/support/page/shell.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import {
  type Account,
  createUser,
  PRODUCER,
  submitSignIn,
  TEAM,
  type User,
} from '#tests/support/browser/user.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const ROOM = '/chat/c_004/general';

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
  user.problems.allow(/ERR_INTERNET_DISCONNECTED|Failed to load resource/);
  await user.signInByForm(PRODUCER, ROOM);
  await toRoomPage(user.page()).composer.waitFor();
  await user.page().evaluate(async () => void (await navigator.serviceWorker.ready));
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

const isLogin = (url: URL): boolean => url.pathname === '/login';
const logOut = () => toShellPage(user.page()).chooseFromUserMenu('Logout');
/** Signs in on the visible form and waits for the signed-in page, whose storage is then open. */
const signInAgain = async (account: Account): Promise<void> => {
  await submitSignIn(user.page(), account);
  await toShellPage(user.page()).main.waitFor();
};
const answer = (name: string) =>
  user.page().getByRole('dialog').getByRole('button', { name }).click();

/** Only the device database is left, without personal data except for kept messages. */
const waitForNoUserData = (page: Page): Promise<void> =>
  waitFor('the data to be deleted', async () => {
    const names = await page.evaluate(async () =>
      (await indexedDB.databases()).map(({ name }) => name),
    );
    return names.join() === 'replay-desk-device';
  });

const askSession = (page: Page): Promise<unknown> =>
  page.evaluate(async () => {
    const answer = await fetch('/api/auth/session');
    const body: unknown = await answer.json();
    return body;
  });

test('without a network, it is effective at once in all tabs and after a reload, and sent to the server later', async () => {
  const first = user.page();
  const second = await user.openTab();
  await user.visit('/chat/c_002/team');
  await toRoomPage(second).composer.waitFor();
  await user.goOffline();
  await logOut();
  await Promise.all([first.waitForURL(isLogin), second.waitForURL(isLogin)]);
  await waitForNoUserData(second);
  await second.reload();
  await second.getByRole('textbox', { name: 'Email' }).waitFor();
  await user.visit(ROOM);
  await second.waitForURL(isLogin);
  await user.goOnline();
  await waitFor('the server to end the session', async () => {
    const session = await askSession(second);
    return JSON.stringify(session) === '{}';
  });
  await second.reload();
  await second.waitForURL(isLogin);
  await expect.poll(() => toRoomPage(first).region.count()).toBe(0);
});

test('it keeps unsent messages for their author only, and sends them at the next sign-in', async () => {
  const page = user.page();
  await user.goOffline();
  const room = toRoomPage(page);
  await room.send('kept: one');
  await room.send('kept: two');
  await logOut();
  const dialog = page.getByRole('dialog', { name: 'Sign out?' });
  await dialog.getByText('2 messages are still waiting to be sent.').waitFor();
  await answer('Keep until I sign in again');
  await page.waitForURL(isLogin);
  await waitForNoUserData(page);
  await user.goOnline();
  await signInAgain(TEAM);
  await user.visit(ROOM);
  await room.composer.waitFor();
  expect(await room.region.getByText(/kept:/).count()).toBe(0);
  await logOut();
  await page.waitForURL(isLogin);
  await signInAgain(PRODUCER);
  await user.visit(ROOM);
  for (const text of ['kept: one', 'kept: two']) {
    await room.message(text).and(page.locator('[data-state="sent"][data-own="true"]')).waitFor();
  }
  const texts = (await room.readAll()).map(({ text }) => /kept: \w+/.exec(text)?.[0]);
  expect(texts.filter((text) => text !== undefined)).toEqual(['kept: one', 'kept: two']);
});

test('it sends first, as soon as there is a network, and then signs out by itself', async () => {
  const page = user.page();
  await user.goOffline();
  await toRoomPage(page).send('sent before leaving');
  await logOut();
  await answer('Send first');
  await page
    .getByRole('dialog')
    .getByText(/^You're offline/)
    .waitFor();
  await user.goOnline();
  await page.waitForURL(isLogin);
  await waitForNoUserData(page);
  await signInAgain(TEAM);
  await user.visit(ROOM);
  await toRoomPage(page).message('sent before leaving').waitFor();
  expect(await toRoomPage(page).message('sent before leaving').count()).toBe(1);
});

test('it discards messages on request, and keeps the user signed in when cancelled', async () => {
  const page = user.page();
  const room = toRoomPage(page);
  await user.goOffline();
  await room.send('never to be sent');
  await room.composer.fill('only typed');
  await logOut();
  await page.getByRole('dialog').getByText("Drafts can't be kept: they will be lost.").waitFor();
  // Nothing can be sent first.
  const inDialog = page.getByRole('dialog').getByRole('button');
  await inDialog.and(page.locator(':focus')).getByText('Cancel').waitFor();
  await answer('Cancel');
  await page.getByRole('button', { name: 'User menu' }).and(page.locator(':focus')).waitFor();
  expect(await room.composer.inputValue()).toBe('only typed');
  await logOut();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await logOut();
  await answer('Discard and sign out');
  await page.waitForURL(isLogin);
  await user.goOnline();
  await signInAgain(PRODUCER);
  await user.visit(ROOM);
  await room.composer.pressSequentially('typed after it');
  // By then, stored drafts have been restored.
  await expect.poll(async () => (await readIndexedDb(page)).text).toContain('typed after it');
  expect(await room.composer.inputValue()).toBe('typed after it');
  await room.send('sent after it');
  await room.message('sent after it').and(page.locator('[data-state="sent"]')).waitFor();
  expect(await room.message('never to be sent').count()).toBe(0);
});

test('it names changes that no other device knows yet, before it deletes them', async () => {
  const page = user.page();
  await user.goOffline();
  await turnPin(page, 'Pin');
  await logOut();
  const dialog = page.getByRole('dialog', { name: 'Sign out?' });
  await dialog.getByText(/^Changes such as “Done” and reminders are stored only/).waitFor();
  await answer('Cancel');
  expect(await page.getByRole('button', { name: /^Unpin / }).count()).toBe(1);
  await logOut();
  await answer('Sign out');
  await page.waitForURL(isLogin);
  await waitForNoUserData(page);
});
