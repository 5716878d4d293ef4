import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { pressAndAnswer, refuseUntilPressed } from '#tests/support/browser/refuse-until-pressed.ts';
import { refuseMessage } from '#tests/support/browser/route-message.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';

const ROOM = '/chat/c_001/general';

let server: ServerProcess;
let user: User;
let room: RoomPage;

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
  room = toRoomPage(user.page());
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

const refuse = (status: number) => async (route: Route) =>
  route.fulfill({ status, contentType: 'application/json', body: '{}' });

const alert = (text: string) => user.page().getByRole('alert').filter({ hasText: text });

test(
  'a refused message fails with the server’s text and does not block others',
  { tags: ['S8.2'] },
  async () => {
    user.problems.allow(/400/);
    await refuseMessage(user.page(), 'This one is refused.');
    await user.signIn(PRODUCER, ROOM);
    await room.waitForLateParts();
    await room.send('This one is refused.');
    await room.send('This one is not.');
    await alert('An error occured sending your message!').waitFor();
    const refused = room.message('This one is refused.');
    await expect.poll(() => refused.getAttribute('data-state')).toBe('failed');
    await expect
      .poll(() => room.message('This one is not.').getAttribute('data-state'))
      .toBe('sent');
    await refused.getByRole('button', { name: 'Copy' }).waitFor();

    await refused.getByRole('button', { name: 'Retry' }).click();
    await expect.poll(() => refused.getAttribute('data-state')).toBe('sent');
  },
);

test(
  'the provider’s own message is shown, and a failed message can be deleted',
  { tags: ['S8.2'] },
  async () => {
    user.problems.allow(/400/);
    await refuseMessage(user.page(), 'Too late.', 'Room is closed');
    await user.signIn(PRODUCER, ROOM);
    await room.waitForLateParts();
    await room.send('Too late.');
    const toast = alert('Room is closed').first();
    // It stays while the pointer is over it.
    await toast.hover();
    await user.page().getByRole('button', { name: 'Close', exact: true }).first().click();
    await toast.waitFor({ state: 'hidden' });
    await room.message('Too late.').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => room.message('Too late.').count()).toBe(0);
  },
);

test('a history that fails shows the banner and recovers', { tags: ['S4.7', 'S8.1'] }, async () => {
  user.problems.allow(/40[03]|500/);
  const page = user.page();
  await refuseUntilPressed(page, '**/api/realtime/history*', 500);
  await user.signIn(PRODUCER, ROOM);
  await alert('Error loading chatroom!').waitFor();
  await pressAndAnswer(page.getByRole('button', { name: 'Try again' }));
  await room.region.locator('[data-message-id]').first().waitFor();
  await expect.poll(() => alert('Error loading chatroom!').count()).toBe(0);
  await page.unrouteAll({ behavior: 'wait' });
});

test('a failed client list is reported and does not affect the rest', async () => {
  user.problems.allow(/50[02]/);
  await user.page().route('**/api/proxy/staff/teams', refuse(502));
  await user.signIn(PRODUCER, '/chat');
  const clients = user.page().getByRole('navigation', { name: 'Clients' });
  const icon = clients.getByLabel('Error loading clients').first();
  await expect.poll(() => icon.isVisible()).toBe(true);
  await user.page().getByRole('link', { name: 'Videos' }).click();
  await user.page().getByRole('heading', { name: 'Videos' }).waitFor();
});

const removeClient = (id: string): void => {
  const name = readdirSync(server.dataFolder).find((file) => /\.(?:db|sqlite)$/.test(file)) ?? '';
  const database = new DatabaseSync(join(server.dataFolder, name), { timeout: 5000 });
  database.prepare('DELETE FROM client WHERE client_id = ?').run(id);
  database.close();
};

test('a message to a client who was removed is refused, and its text stays', async () => {
  user.problems.allow(/410/);
  user.problems.allow(NETWORK_AWAY);
  await user.signIn(PRODUCER, '/chat/c_003/general');
  await room.composer.waitFor();
  await room.waitForLateParts();
  await user.goOffline();
  await room.send('Nobody will read this.');
  removeClient('c_003');
  await user.goOnline();
  const message = room.message('Nobody will read this.');
  await expect.poll(() => message.getAttribute('data-state')).toBe('failed');
  await expect.poll(() => message.textContent()).toContain('There is no such client.');
  // The page requests the clients again once its list is old.
  await user.page().addInitScript(() => {
    const HOUR_MS = 3_600_000;
    const now = Date.now.bind(Date);
    Date.now = () => now() + HOUR_MS;
  });
  await user.visit('/');
  const unsent = user.page().getByRole('region', { name: 'Not sent' });
  await unsent.getByRole('link', { name: 'Removed client' }).waitFor();
  expect(await unsent.innerText()).toContain('Nobody will read this.');
  await unsent.getByRole('button', { name: /^Copy the text to Removed client/ }).waitFor();
  await unsent.getByRole('button', { name: /^Delete the text to Removed client/ }).click();
  await unsent.waitFor({ state: 'detached' });
});

test('an entry that is not a message shows as unreadable among the others', async () => {
  const page = user.page();
  await page.route('**/api/realtime/history?*producers*', addOddEntry, { times: 1 });
  await user.signIn(PRODUCER, '/chat/c_001/producers');
  await expect
    .poll(async () => (await room.visibleTexts()).at(-1))
    .toContain("This message can't be shown here.");
  expect((await room.readAll()).length).toBeGreaterThanOrEqual(25);
  await room.send('after the odd one');
  await expect
    .poll(() => room.message('after the odd one').getAttribute('data-state'))
    .toBe('sent');
});

/** Appends an entry of another shape to the newest page. */
const addOddEntry = async (route: Route): Promise<void> => {
  const response = await route.fetch();
  const { entries } = (await response.json()) as { entries: { timetoken: string }[] };
  const last = entries.at(-1);
  const timetoken = (BigInt(last?.timetoken ?? 0) + 1n).toString().padStart(17, '0');
  const odd = { ...last, timetoken, message: { unknown: true } };
  await route.fulfill({ response, json: { entries: [...entries.slice(1), odd] } });
};
