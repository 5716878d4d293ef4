import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { damageIndexedDb } from '#tests/support/browser/damage-profile.ts';
import { waitForStoreFlag } from '#tests/support/page/indexed-db-dump.ts';
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

const ROOM = '/chat/c_005/general';
const LOST = /storage was damaged or cleared while Replay Desk was closed/;

let server: ServerProcess;
let user: User;
const notice = () => user.page().getByRole('alert').filter({ hasText: LOST });

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.dispose());
beforeEach(async () => {
  user = await createUser(server, 'whole');
  user.problems.allow(/ERR_INTERNET_DISCONNECTED|Failed to load resource|CLIENT_/);
  await user.signIn(PRODUCER, ROOM);
  await toRoomPage(user.page()).composer.waitFor();
  await waitForStoreFlag(user.page());
});
afterEach(async () => {
  const problems = user.problems.take();
  await user.dispose();
  expect(problems).toEqual([]);
});

const restartDamaged = async (): Promise<void> => {
  await user.closeBrowser();
  expect(await damageIndexedDb(user.profile)).toBeGreaterThan(1);
  await user.openBrowser();
  await user.visit(ROOM);
};

const signOut = async (): Promise<void> => {
  await toShellPage(user.page()).chooseFromUserMenu('Logout');
  await user.page().waitForURL((url) => url.pathname === '/login');
};

/** Runs in the page: the flags of stores, except the flag of the disk. */
const readFlags = (): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(localStorage).filter(([key]) => key.startsWith('replay-desk-store-')),
    ),
  );

/** The page is open and has its keys: any notice about its storage has appeared. */
const settle = async (): Promise<void> => {
  await user.visit(ROOM);
  await toRoomPage(user.page()).composer.waitFor();
  await waitForStoreFlag(user.page());
  expect(await notice().count()).toBe(0);
};

test('damage while closed with queued messages is reported at the start, until it is dismissed', async () => {
  const room = toRoomPage(user.page());
  await user.goOffline();
  await room.send('never sent: one');
  await room.send('never sent: two');
  await waitFor('the flag of unsent messages', async () => {
    const flags = await user.page().evaluate(() => JSON.stringify(localStorage));
    return flags.includes('"unsent"');
  });
  await restartDamaged();
  await notice().waitFor();
  expect(await notice().innerText()).toContain('Unsent messages may be lost');
  await user.page().screenshot({ path: 'shots/storage-damaged.png' });
  await user.page().getByRole('button', { name: 'Dismiss' }).click();
  await notice().waitFor({ state: 'detached' });
  await settle();
});

test('damage while closed without queued messages is reported, with the note that none were queued', async () => {
  await restartDamaged();
  await notice().waitFor();
  expect(await notice().innerText()).toContain('nothing was waiting to be sent');
});

test('the flag does not identify anyone, and belongs to one user', async () => {
  const flags = await user.page().evaluate(readFlags);
  expect(flags).toMatch(/^\{"replay-desk-store-[\w-]{22}":"open"\}$/);
  await restartDamaged();
  await notice().waitFor();
  await signOut();
  await submitSignIn(user.page(), TEAM);
  await toShellPage(user.page()).main.waitFor();
  await settle();
});

test('there is no report after a sign-out, for the next user, or after site data was cleared', async () => {
  await signOut();
  await waitFor('the removal of the flag', async () => {
    const flags = await user.page().evaluate(readFlags);
    return flags === '{}';
  });
  await submitSignIn(user.page(), TEAM);
  await toShellPage(user.page()).main.waitFor();
  await settle();
  await signOut();
  await submitSignIn(user.page(), PRODUCER);
  await toShellPage(user.page()).main.waitFor();
  await settle();
  await user.visit('/manifest.webmanifest');
  const session = await user.page().context().newCDPSession(user.page());
  await session.send('Storage.clearDataForOrigin', {
    origin: server.address,
    storageTypes: 'indexeddb,local_storage,cache_storage,service_workers',
  });
  await settle();
  expect(await notice().count()).toBe(0);
});
