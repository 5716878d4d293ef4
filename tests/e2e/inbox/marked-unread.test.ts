import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { keepToasts } from '#tests/support/page/long-delays.ts';
import { chooseFromMessage } from '#tests/support/page/message-menu.ts';
import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';
import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { findUnread } from '#tests/support/page/unread.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { openTerminal, type Terminal } from '#tests/support/process/terminal.ts';

const ROOM = '/chat/c_003/general';
const ELSEWHERE = '/chat/c_002/team';

let server: ServerProcess;
/** Two devices of one user. */
let desk: User;
let phone: User;
let room: RoomPage;
let client: Terminal;

const write = async (text: string): Promise<void> => {
  client.write(text);
  await room.message(text).waitFor();
};

const markUnread = (text: string) => chooseFromMessage(room.message(text), 'Mark unread');

beforeAll(async () => {
  server = await startServer();
  desk = await createUser(server);
  phone = await createUser(server);
  for (const user of [desk, phone]) {
    user.problems.allow(NETWORK_AWAY);
    await user.page().context().addInitScript(keepToasts);
    await user.signIn(PRODUCER, ROOM);
    await toRoomPage(user.page()).region.locator('[data-message-id]').first().waitFor();
  }
  await phone.visit(ELSEWHERE);
  room = toRoomPage(desk.page());
  client = await openTerminal(server, 'c_003', 'general');
  for (const text of ['First cut?', 'Second cut?']) await write(text);
  await room.send('Both are on the way.');
  await write('Third cut?');
  // Never read: a count means that its unread messages were counted.
  const other = await openTerminal(server, 'c_004', 'general');
  other.write('Is anybody there?');
  await desk.page().waitForFunction(() => document.title.startsWith('(1)'));
  await other.close();
});
afterAll(async () => {
  await client.close();
  await desk.dispose();
  await phone.dispose();
  await server.dispose();
});
beforeEach(async () => {
  await desk.visit(ROOM);
  await room.message('Third cut?').waitFor();
  for (const user of [desk, phone]) await expect.poll(() => findUnread(user)).toBe(1);
});
afterEach(() => {
  for (const user of [desk, phone]) expect(user.problems.take()).toEqual([]);
});

test('a room marked as unread from a message is unread on all devices until its user opens it again', async () => {
  await markUnread('Second cut?');
  await desk.page().getByText('Marked as unread from this message.').waitFor();
  // The user's own message in between does not answer the later ones.
  for (const user of [desk, phone]) await expect.poll(() => findUnread(user)).toBe(3);
  await room.region.getByRole('separator', { name: 'New messages' }).waitFor();
  // Visible messages are not read again, and new ones are unread with them.
  await write('Fourth cut?');
  for (const user of [desk, phone]) await expect.poll(() => findUnread(user)).toBe(4);
  await desk.page().getByRole('link', { name: 'Home' }).click();
  await expect.poll(() => findUnread(desk)).toBe(4);
  await desk.visit(ROOM);
  for (const user of [desk, phone]) await expect.poll(() => findUnread(user)).toBe(1);
});

test('a mark made offline survives a restart, and reading on the other device clears it', async () => {
  await desk.goOffline();
  await markUnread('Third cut?');
  await expect.poll(() => findUnread(desk)).toBe(3);
  await desk.visit(ELSEWHERE);
  await expect.poll(() => findUnread(desk)).toBe(3);
  expect(await findUnread(phone)).toBe(1);
  await desk.goOnline();
  await expect.poll(() => findUnread(phone)).toBe(3);
  await phone.visit(ROOM);
  for (const user of [desk, phone]) await expect.poll(() => findUnread(user)).toBe(1);
  await phone.visit(ELSEWHERE);
});

test('answering in a room marked as unread marks it as read', async () => {
  await markUnread('Second cut?');
  await expect.poll(() => findUnread(phone)).toBe(4);
  await room.send('All four are done.');
  for (const user of [desk, phone]) await expect.poll(() => findUnread(user)).toBe(1);
});

const markAll = async () => {
  await desk.page().keyboard.press('Control+k');
  await desk.page().getByRole('combobox').fill('mark all');
  await desk.page().keyboard.press('Enter');
  const undo = desk.page().getByRole('button', { name: 'Undo' });
  // It stays while the pointer is over it.
  await undo.hover();
  for (const user of [desk, phone]) await expect.poll(() => findUnread(user)).toBe(0);
  return undo;
};

const undoMarkAll = async (count: number): Promise<void> => {
  for (const user of [desk, phone]) await expect.poll(() => findUnread(user)).toBe(count);
  await (await markAll()).click();
  for (const user of [desk, phone]) await expect.poll(() => findUnread(user)).toBe(count);
};

test('undoing "Mark all as read" does not keep the open room unread', async () => {
  await markUnread('Third cut?');
  for (const user of [desk, phone]) await expect.poll(() => findUnread(user)).toBeGreaterThan(1);
  await (await markAll()).click();
  // The room in front of the user is read again.
  for (const user of [desk, phone]) await expect.poll(() => findUnread(user)).toBe(1);
});

test('undoing "Mark all as read" restores a room that was marked as unread after an answer', async () => {
  await markUnread('Third cut?');
  await expect.poll(() => findUnread(desk)).toBe(3);
  await desk.visit(ELSEWHERE);
  await undoMarkAll(3);
  await phone.visit(ROOM);
  await expect.poll(() => findUnread(phone)).toBe(1);
  await phone.visit(ELSEWHERE);
});

test('all rooms are marked as read at once, and this can be undone', async () => {
  await desk.visit(ELSEWHERE);
  client.write('Fifth cut?');
  client.write('Sixth cut?');
  await undoMarkAll(3);
  // For clients with unread messages, the list offers the same.
  await desk.page().getByRole('button', { name: 'Expand clients' }).click();
  await desk.page().getByRole('radio', { name: 'Unread' }).check();
  await desk.page().getByRole('button', { name: 'Mark all as read' }).click();
  for (const user of [desk, phone]) await expect.poll(() => findUnread(user)).toBe(0);
});
