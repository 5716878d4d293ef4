import { afterEach, beforeEach, expect, test } from 'vitest';

import { NOTIFICATION_LOCK } from '#domain/schemas/notification.ts';
import {
  bringBack,
  leaveToBackground,
  readNotifications,
} from '#tests/support/browser/background.ts';
import { visitWithoutLateParts } from '#tests/support/browser/late-parts.ts';
import { createUser, PRODUCER, TEAM, type User } from '#tests/support/browser/user.ts';
import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { toRoomPage } from '#tests/support/page/room.ts';
import { openConnected, toShellPage } from '#tests/support/page/shell.ts';
import { waitForReading } from '#tests/support/page/unread.ts';
import {
  createRealtimeClient,
  createTestTokens,
  toMessage,
} from '#tests/support/server/realtime-client.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { openTerminal, type Terminal } from '#tests/support/process/terminal.ts';

const HOME = '/chat/c_001/general';

let server: ServerProcess;
let user: User;
let client: Terminal;

// Read and unread positions outlast a device.
beforeEach(async () => {
  server = await startServer();
  // The small browser of other tests grants no permissions.
  user = await createUser(server, 'whole');
  await user.page().context().grantPermissions(['notifications'], { origin: server.address });
  await user.signIn(PRODUCER, '/settings');
  await waitForReading(user.page(), PRODUCER.uid);
  client = await openTerminal(server, 'c_003', 'general');
});
afterEach(async () => {
  await client.close();
  const problems = user.problems.take();
  await user.dispose();
  await server.dispose();
  expect(problems).toEqual([]);
});

const lookAway = (): Promise<void> => leaveToBackground(user.page());
/** Call it before a click: the click would focus a page that stays behind the other one. */
const lookBack = (): Promise<void> => bringBack(user.page());

const region = () => user.page().getByRole('region', { name: 'Notifications' });
const turn = (name: string) => region().getByRole('switch', { name });

/** Turns notifications on. */
const begin = async (): Promise<void> => {
  await turn('Show notifications').click();
  await expect.poll(() => turn('Show notifications').isChecked()).toBe(true);
};
const goHome = async (): Promise<void> => {
  await openConnected(user.page(), () => user.visit(HOME));
  await toRoomPage(user.page()).region.locator('[data-message-id]').first().waitFor();
  await toRoomPage(user.page()).bell.waitFor();
  await lookAway();
};

const shown = () => readNotifications(user.page());
const bodies = async () => (await shown()).map(({ body }) => body);

const FROM_CLIENT = { title: "Aoife O'Sullivan · General", silent: true };

test('a message that arrives in the background is announced, one per room', async () => {
  await begin();
  await goHome();
  client.write('The feed is black.');
  await expect
    .poll(shown)
    .toEqual([{ ...FROM_CLIENT, body: "Aoife O'Sullivan: The feed is black." }]);
  client.write('Back again, sorry.');
  const body = "2 new messages. Aoife O'Sullivan: Back again, sorry.";
  await expect.poll(shown).toEqual([{ ...FROM_CLIENT, body }]);
  // A claimed name has no mark there.
  const tokens = createTestTokens(server.dataFolder);
  const port = Number(new URL(server.address).port);
  const stranger = createRealtimeClient(port, tokens.staff('app-7'));
  const claim = { ...toMessage('Pay this.'), clientName: 'Leila Haddad' };
  expect((await stranger.publish('chat.c_003.general', claim)).status).toBe(200);
  const unverified = '3 new messages. Unverified: Pay this.';
  await expect.poll(shown).toEqual([{ ...FROM_CLIENT, body: unverified }]);
  // Reading removes it.
  await user.visit('/chat/c_003/general');
  await lookBack();
  await expect.poll(shown).toEqual([]);
});

test('a message that arrives while a page has the focus is not announced, not even later', async () => {
  await begin();
  await goHome();
  await lookBack();
  client.write('You are here.');
  await expect.poll(() => user.page().title()).toMatch(/^\(1\) /);
  await lookAway();
  const other = await openTerminal(server, 'c_005', 'general');
  other.write('You are away.');
  await expect.poll(bodies).toEqual([expect.stringContaining('You are away.')]);
  await other.close();
});

test('of many rooms with missed messages eight are announced, and none stays after a sign-out', async () => {
  await begin();
  await turn('Sound').click();
  await expect.poll(() => turn('Sound').isChecked()).toBe(true);
  await goHome();
  user.problems.allow(NETWORK_AWAY);
  await user.goOffline();
  await expect.poll(() => toShellPage(user.page()).connection.innerText()).toMatch(/^Offline/);
  const tokens = createTestTokens(server.dataFolder);
  const port = Number(new URL(server.address).port);
  const clients = Array.from({ length: 10 }, (_, n) => `c_0${String(n + 7).padStart(2, '0')}`);
  for (const id of clients) {
    const writer = createRealtimeClient(port, tokens.client(id));
    await writer.publish(`chat.${id}.general`, toMessage(`Are you there? ${id}`));
  }
  await user.goOnline();
  const listIds = async () => (await bodies()).map((body) => body.slice(-5)).toSorted();
  await expect.poll(listIds).toEqual(clients.slice(2));
  // One sound for all of them.
  expect((await shown()).filter(({ silent }) => !silent)).toHaveLength(1);
  await lookBack();
  await toShellPage(user.page()).chooseFromUserMenu('Logout');
  await user.page().waitForURL((url) => url.pathname === '/login');
  await expect.poll(shown).toEqual([]);
});

test('a message is announced at once even if the clock of the device is fast', async () => {
  await user.page().addInitScript(() => {
    const readClock = Date.now.bind(Date);
    const AHEAD_MS = 600_000;
    Date.now = () => readClock() + AHEAD_MS;
  });
  await begin();
  await goHome();
  client.write('Which time is it?');
  await expect.poll(bodies).toEqual([expect.stringContaining('Which time is it?')]);
});

test('a message that arrives while the late parts of the page load is also announced', async () => {
  await begin();
  const page = user.page();
  const release = await visitWithoutLateParts(user, HOME);
  await toRoomPage(page).region.locator('[data-message-id]').first().waitFor();
  await lookAway();
  client.write('You have just left.');
  await expect.poll(() => page.title()).toMatch(/^\(1\) /);
  release();
  await expect.poll(bodies).toEqual([expect.stringContaining('You have just left.')]);
});

/** Runs in the worker, as a click on the notification would. */
const CLICK = `(async () => {
  const list = () => registration.getNotifications();
  const [notification] = await navigator.locks.request('${NOTIFICATION_LOCK}', list);
  dispatchEvent(new NotificationEvent('notificationclick', { notification }));
})()`;

test('a click opens the room in the open page', async () => {
  await begin();
  await goHome();
  client.write('Please call me.');
  await expect.poll(async () => (await shown()).length).toBe(1);
  const [worker] = user.page().context().serviceWorkers();
  await worker?.evaluate(CLICK);
  await user.page().waitForURL(`${server.address}/chat/c_003/general`);
  await lookBack();
  await expect.poll(shown).toEqual([]);
});

test('a click also opens the room in a page that does not answer', async () => {
  await begin();
  await goHome();
  client.write('Please call me.');
  await expect.poll(async () => (await shown()).length).toBe(1);
  await user.visit('/manifest.webmanifest');
  const [worker] = user.page().context().serviceWorkers();
  await worker?.evaluate(CLICK);
  await user.page().waitForURL(`${server.address}/chat/c_003/general`);
});

test('nothing is left of a session that ended while no page was open', async () => {
  await begin();
  await goHome();
  client.write('Only for you.');
  await expect.poll(async () => (await shown()).length).toBe(1);
  await user.visit('/manifest.webmanifest');
  await user.page().context().clearCookies();
  await user.visit('/login');
  await expect.poll(shown).toEqual([]);
});

test('a muted client is not announced until it is unmuted in the settings', async () => {
  await begin();
  await user.visit('/chat/c_003/general');
  const { bell } = toRoomPage(user.page());
  await bell.click();
  await user.page().getByRole('menuitem', { name: "Mute Aoife O'Sullivan" }).click();
  await expect.poll(() => bell.getAttribute('aria-label')).toBe('Notifications: muted');
  await goHome();
  client.write('Not announced.');
  const other = await openTerminal(server, 'c_005', 'general');
  other.write('Announced.');
  await expect.poll(bodies).toEqual([expect.stringContaining('Announced.')]);
  await other.close();
  await lookBack();
  await user.visit('/settings');
  await region().getByRole('button', { name: "Unmute Aoife O'Sullivan" }).click();
  await region().getByText('To mute a room or a client').waitFor();
  // The keyboard stays where the button was.
  const focused = region().locator(':focus');
  await expect.poll(() => focused.count()).toBe(1);
  await goHome();
  client.write('Announced again.');
  await expect.poll(bodies).toContainEqual(expect.stringContaining('Announced again.'));
});

test('texts can be hidden, and nothing remains after a sign-out', async () => {
  await begin();
  await turn('Show names and messages').click();
  await expect.poll(() => turn('Show names and messages').isChecked()).toBe(false);
  await goHome();
  client.write('A secret.');
  await expect.poll(shown).toEqual([{ title: 'Replay Desk', body: '1 new message', silent: true }]);
  await toShellPage(user.page()).chooseFromUserMenu('Logout');
  await user.page().waitForURL((url) => url.pathname === '/login');
  await expect.poll(shown).toEqual([]);
  // The choice of another user on this device is independent.
  await user.signInByForm(TEAM, '/settings');
  await expect.poll(() => turn('Show notifications').isChecked()).toBe(false);
});

test('a browser that denies them shows where to allow them', async () => {
  const page = user.page();
  await page.context().clearPermissions();
  await page.reload();
  await turn('Show notifications').click();
  await region().getByText('Your browser blocks notifications').waitFor();
  expect(await turn('Show notifications').count()).toBe(0);
  // Allowed there, while the page stays open.
  await page.context().grantPermissions(['notifications'], { origin: server.address });
  await turn('Show notifications').waitFor();
});
