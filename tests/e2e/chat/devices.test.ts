import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { createUser, PRODUCER, TEAM, type User } from '#tests/support/browser/user.ts';
import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { toRoomPage } from '#tests/support/page/room.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { openTerminal } from '#tests/support/process/terminal.ts';
import { waitFor } from '#tests/support/wait-for.ts';

let server: ServerProcess;
/** Two devices of one person, one of another. */
let desk: User;
let phone: User;
let colleague: User;

/** A device whose rooms are on it, so that later messages are unread. */
const openDevice = async (account = PRODUCER, path = '/chat/c_001/general'): Promise<User> => {
  const user = await createUser(server);
  user.problems.allow(NETWORK_AWAY);
  await user.signIn(account, path);
  await toRoomPage(user.page()).region.locator('[data-message-id]').first().waitFor();
  return user;
};

beforeAll(async () => {
  server = await startServer();
  desk = await openDevice();
  phone = await openDevice(PRODUCER, '/chat/c_002/team');
  colleague = await openDevice(TEAM);
});
afterAll(async () => {
  for (const user of [desk, phone, colleague]) await user.dispose();
  await server.dispose();
});
afterEach(() => {
  for (const user of [desk, phone, colleague]) expect(user.problems.take()).toEqual([]);
});

const write = async (clientId: string, text: string): Promise<void> => {
  const terminal = await openTerminal(server, clientId, 'general');
  terminal.write(text);
  await terminal.close();
};

/** What the title of the browser's tab counts as unread. */
const waitForUnread = (user: User, count: number): Promise<void> =>
  waitFor(`${count} unread`, async () => {
    const title = await user.page().title();
    return count === 0 ? !title.startsWith('(') : title.startsWith(`(${count}) `);
  });

const readRoom = async (user: User, clientId: string, text: string): Promise<void> => {
  await user.visit(`/chat/${clientId}/general`);
  await toRoomPage(user.page()).message(text).waitFor();
};

test('what is read on one device is read on the others, and for nobody else', async () => {
  await write('c_003', 'Who reads this first?');
  await Promise.all([desk, phone, colleague].map((user) => waitForUnread(user, 1)));
  await readRoom(desk, 'c_003', 'Who reads this first?');
  await waitForUnread(desk, 0);
  await waitForUnread(phone, 0);
  await waitForUnread(colleague, 1);
});

test('what is read without a network is read everywhere after the return, and the other way', async () => {
  await write('c_005', 'Read on the train.');
  await write('c_006', 'Read at the desk.');
  await waitForUnread(desk, 2);
  await waitForUnread(phone, 2);
  await phone.goOffline();
  await readRoom(phone, 'c_005', 'Read on the train.');
  await waitForUnread(phone, 1);
  await readRoom(desk, 'c_006', 'Read at the desk.');
  await waitForUnread(desk, 1);
  await phone.goOnline();
  await waitForUnread(desk, 0);
  await waitForUnread(phone, 0);
});

test('a new device shows what was read nowhere, and nothing else', async () => {
  await write('c_004', 'Read by nobody.');
  await write('c_007', 'Read at the desk.');
  await waitForUnread(desk, 2);
  await readRoom(desk, 'c_007', 'Read at the desk.');
  await waitForUnread(desk, 1);
  const tablet = await openDevice();
  try {
    await waitForUnread(tablet, 1);
    const client = tablet.page().getByRole('navigation', { name: 'Clients' });
    const described = client.locator('a[href="/chat/c_004"]');
    await expect.poll(() => described.getAttribute('aria-description')).toContain('1 unread');
    expect(tablet.problems.take()).toEqual([]);
  } finally {
    await tablet.dispose();
  }
});
