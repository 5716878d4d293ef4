import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { createUser, PRODUCER, TEAM, type User } from '#tests/support/browser/user.ts';
import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { toRoomPage } from '#tests/support/page/room.ts';
import { findUnread, waitForReading } from '#tests/support/page/unread.ts';
import {
  createRealtimeClient,
  createTestTokens,
  toMessage,
} from '#tests/support/server/realtime-client.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { openTerminal, type Terminal } from '#tests/support/process/terminal.ts';

let server: ServerProcess;
/** Two devices of one user, one of another. */
let desk: User;
let phone: User;
let colleague: User;
const terminals: Terminal[] = [];

/** A device that has begun to read, so that later messages are unread. */
const openDevice = async (account = PRODUCER, path = '/chat/c_001/general'): Promise<User> => {
  const user = await createUser(server);
  user.problems.allow(NETWORK_AWAY);
  await user.signIn(account, path);
  await toRoomPage(user.page()).region.locator('[data-message-id]').first().waitFor();
  await waitForReading(user.page(), account.uid);
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
afterEach(async () => {
  await Promise.all(terminals.splice(0).map((terminal) => terminal.close()));
  for (const user of [desk, phone, colleague]) expect(user.problems.take()).toEqual([]);
});

const write = async (clientId: string, text: string): Promise<void> => {
  const terminal = await openTerminal(server, clientId, 'general');
  terminals.push(terminal);
  terminal.write(text);
};

/** The number of unread messages in the title of the browser's tab. */
const readRoom = async (user: User, clientId: string, text: string): Promise<void> => {
  await user.visit(`/chat/${clientId}/general`);
  await toRoomPage(user.page()).message(text).waitFor();
};

test('messages read on one device are read on the user’s others, but not for another user', async () => {
  await write('c_003', 'Who reads this first?');
  for (const user of [desk, phone, colleague]) await expect.poll(() => findUnread(user)).toBe(1);
  await readRoom(desk, 'c_003', 'Who reads this first?');
  await expect.poll(() => findUnread(desk)).toBe(0);
  await expect.poll(() => findUnread(phone)).toBe(0);
  await expect.poll(() => findUnread(colleague)).toBe(1);
});

test('messages read offline are read everywhere after the return, and vice versa', async () => {
  await write('c_005', 'Read on the train.');
  await write('c_006', 'Read at the desk.');
  await expect.poll(() => findUnread(desk)).toBe(2);
  await expect.poll(() => findUnread(phone)).toBe(2);
  await phone.goOffline();
  await readRoom(phone, 'c_005', 'Read on the train.');
  await expect.poll(() => findUnread(phone)).toBe(1);
  await readRoom(desk, 'c_006', 'Read at the desk.');
  await expect.poll(() => findUnread(desk)).toBe(1);
  await phone.goOnline();
  await expect.poll(() => findUnread(desk)).toBe(0);
  await expect.poll(() => findUnread(phone)).toBe(0);
});

test('a new device shows as unread only messages that were read on no device', async () => {
  await write('c_004', 'Read by nobody.');
  await write('c_007', 'Read at the desk.');
  await expect.poll(() => findUnread(desk)).toBe(2);
  await readRoom(desk, 'c_007', 'Read at the desk.');
  await expect.poll(() => findUnread(desk)).toBe(1);
  const tablet = await openDevice();
  try {
    await expect.poll(() => findUnread(tablet)).toBe(1);
    const client = tablet.page().getByRole('navigation', { name: 'Clients' });
    const described = client.locator('a[href^="/chat/c_004"]');
    await expect.poll(() => described.getAttribute('aria-description')).toContain('1 unread');
    expect(tablet.problems.take()).toEqual([]);
  } finally {
    await tablet.dispose();
  }
});

test('a new device counts what it lacks, and does not take it for read', async () => {
  const before = await findUnread(desk);
  const token = createTestTokens(server.dataFolder).client('c_008');
  const client = createRealtimeClient(Number(new URL(server.address).port), token);
  const publish = (text: string) => client.publish('chat.c_008.general', toMessage(text));
  for (let n = 1; n <= 60; n += 1) await publish(`Question ${n}.`);
  await expect.poll(() => findUnread(desk)).toBe(before + 60);
  const tablet = await createUser(server);
  try {
    tablet.problems.allow(/503/);
    tablet.problems.allow(NETWORK_AWAY);
    let isRefusing = true;
    await tablet.page().route('**/api/realtime/history*', (route) => {
      const url = new URL(route.request().url());
      const isOlder =
        url.searchParams.get('channel') === 'chat.c_008.general' && url.searchParams.has('after');
      return isOlder && isRefusing ? route.fulfill({ status: 503 }) : route.continue();
    });
    await tablet.signIn(PRODUCER, '/chat/c_008/general');
    const room = toRoomPage(tablet.page());
    await expect.poll(() => findUnread(tablet)).toBe(before + 25);
    expect(await room.readAll()).toHaveLength(25);
    isRefusing = false;
    // It is requested again after the next catch-up.
    await tablet.goOffline();
    await tablet.goOnline();
    await publish('And one more.');
    await expect.poll(() => findUnread(tablet)).toBe(before + 61);
    await expect.poll(() => findUnread(desk)).toBe(before + 61);
  } finally {
    await tablet.dispose();
  }
});
