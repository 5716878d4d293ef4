import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

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
import { waitFor } from '#tests/support/wait-for.ts';

const ROOM = '/chat/c_004/general';
/** Texts that the browser must not reveal once their owner signed out. */
const PRIVATE = [/secret plan/, /Jonas Weidner/, /producer@example\.com/, /c_004/];

let server: ServerProcess;
let user: User;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.dispose());
beforeEach(async () => {
  user = await createUser(server);
  user.problems.allow(/ERR_INTERNET_DISCONNECTED|Failed to load resource/);
});
afterEach(async () => {
  const problems = user.problems.take();
  await user.dispose();
  expect(problems).toEqual([]);
});

const signOutKeeping = async (page: Page): Promise<void> => {
  await toShellPage(page).chooseFromUserMenu('Logout');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: 'Keep until I sign in again' })
    .click();
  await page.waitForURL((url) => url.pathname === '/login');
  await waitFor('the data to be deleted', () =>
    page.evaluate(async () => {
      const names = (await indexedDB.databases()).map(({ name }) => name);
      return names.join() === 'replay-desk-device';
    }),
  );
  await waitFor('the sign-out to be finished', async () => {
    const { text } = await readIndexedDb(page);
    return text.includes('"departures":[]');
  });
};

test('kept messages are unreadable to the next user, and are sent once for their author', async () => {
  await user.signInByForm(PRODUCER, ROOM);
  const page = user.page();
  const room = toRoomPage(page);
  await room.composer.waitFor();
  await waitFor('the key to be there', async () => {
    return (await readIndexedDb(page)).text.includes('CryptoKey');
  });
  await user.goOffline();
  await room.send('secret plan one');
  await room.send('secret plan two');
  await signOutKeeping(page);
  const { text } = await readIndexedDb(page);
  for (const pattern of PRIVATE) expect(text).not.toMatch(pattern);
  expect(text).not.toContain('CryptoKey');
  await user.goOnline();
  await submitSignIn(page, TEAM);
  await toShellPage(page).main.waitFor();
  await user.visit(ROOM);
  await room.composer.waitFor();
  expect(await room.region.getByText(/secret plan/).count()).toBe(0);
  await toShellPage(page).chooseFromUserMenu('Logout');
  await page.waitForURL((url) => url.pathname === '/login');
  await submitSignIn(page, PRODUCER);
  await toShellPage(page).main.waitFor();
  await user.visit(ROOM);
  for (const kept of ['secret plan one', 'secret plan two']) {
    const own = room.message(kept).and(page.locator('[data-state="sent"][data-own="true"]'));
    await own.waitFor();
    expect(await own.count()).toBe(1);
  }
  const texts = (await room.readAll()).map((message) => /secret plan \w+/.exec(message.text)?.[0]);
  expect(texts.filter((found) => found !== undefined)).toEqual([
    'secret plan one',
    'secret plan two',
  ]);
});
