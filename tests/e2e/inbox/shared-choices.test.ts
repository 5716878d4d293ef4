import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { createUser, PRODUCER, TEAM, type User } from '#tests/support/browser/user.ts';
import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { toRoomPage } from '#tests/support/page/room.ts';
import { toShellPage } from '#tests/support/page/shell.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';

const AOIFE = "Aoife O'Sullivan";

let server: ServerProcess;
/** Two devices of one user, one of another. */
let desk: User;
let phone: User;
let colleague: User;

const region = (user: User) => user.page().getByRole('region', { name: 'Notifications' });
const turn = (user: User, name: string) => region(user).getByRole('switch', { name });
const muted = (user: User) =>
  region(user).getByRole('list', { name: 'Muted' }).getByRole('listitem');

/** A device that shows notifications, at its settings. */
const openDevice = async (account = PRODUCER): Promise<User> => {
  // The small browser of other tests grants no permissions.
  const user = await createUser(server, 'whole');
  user.problems.allow(NETWORK_AWAY);
  const context = user.page().context();
  await context.grantPermissions(['notifications'], { origin: server.address });
  await user.signIn(account, '/settings');
  await turn(user, 'Show notifications').click();
  // Shown once notifications are on.
  await turn(user, 'Sound').waitFor();
  return user;
};

/** Mutes with the bell of the room that is open. */
const mute = async (user: User, name: string): Promise<void> => {
  const { bell } = toRoomPage(user.page());
  await bell.click();
  await user
    .page()
    .getByRole('menuitem', { name: `Mute ${name}` })
    .click();
  await expect.poll(() => bell.getAttribute('aria-label')).toBe('Notifications: muted');
};

const waitForLine = async (user: User, line: RegExp): Promise<void> => {
  await expect.poll(() => toShellPage(user.page()).connection.innerText()).toMatch(line);
};

beforeAll(async () => {
  server = await startServer();
  desk = await openDevice();
  phone = await openDevice();
  colleague = await openDevice(TEAM);
});
afterAll(async () => {
  for (const user of [desk, phone, colleague]) await user.dispose();
  await server.dispose();
});
afterEach(() => {
  for (const user of [desk, phone, colleague]) expect(user.problems.take()).toEqual([]);
});

test("a client muted on one device is muted on the user's others, but not for another user", async () => {
  await desk.visit('/chat/c_003/general');
  await mute(desk, AOIFE);
  await muted(phone).filter({ hasText: AOIFE }).waitFor();
  await phone.visit('/chat/c_003/team');
  await expect
    .poll(() => toRoomPage(phone.page()).bell.getAttribute('aria-label'))
    .toBe('Notifications: muted');
  await phone.visit('/settings');
  await region(phone)
    .getByRole('button', { name: `Unmute ${AOIFE}` })
    .click();
  await expect
    .poll(() => toRoomPage(desk.page()).bell.getAttribute('aria-label'))
    .toBe('Notifications: on');
  await region(colleague).getByText('To mute a room or a client').waitFor();
  await desk.visit('/settings');
});

test('a setting applies on all devices; the choice to show texts is separate on each device', async () => {
  await turn(desk, 'Show names and messages').click();
  await turn(desk, 'Quiet hours').click();
  await turn(desk, 'Sound').click();
  await expect.poll(() => turn(phone, 'Sound').isChecked()).toBe(true);
  await expect.poll(() => turn(phone, 'Quiet hours').isChecked()).toBe(true);
  expect(await turn(phone, 'Show names and messages').isChecked()).toBe(true);
  expect(await turn(desk, 'Show names and messages').isChecked()).toBe(false);
  expect(await turn(colleague, 'Sound').isChecked()).toBe(false);
});

test('choices made without a network apply everywhere after the return', async () => {
  await phone.visit('/chat/c_005/general');
  await toRoomPage(phone.page()).bell.waitFor();
  await phone.goOffline();
  await waitForLine(phone, /^Offline/);
  await mute(phone, 'this room');
  await turn(desk, 'Sound').click();
  await expect.poll(() => turn(desk, 'Sound').isChecked()).toBe(false);
  expect(await muted(desk).count()).toBe(0);
  await phone.goOnline();
  await expect.poll(() => muted(desk).count()).toBe(1);
  expect(await muted(desk).innerText()).toContain('General');
  await phone.visit('/settings');
  await expect.poll(() => turn(phone, 'Sound').isChecked()).toBe(false);
});

test('a new device gets the choices of its user, including the order of the clients', async () => {
  const button = (user: User, name: string) => user.page().getByRole('button', { name });
  await desk.visit('/chat/c_001/general');
  await button(desk, 'Expand clients').click();
  await button(desk, 'Order by name').click();
  await button(desk, 'Order by last activity').waitFor();
  const tablet = await openDevice();
  try {
    await expect.poll(() => muted(tablet).count()).toBe(1);
    expect(await turn(tablet, 'Quiet hours').isChecked()).toBe(true);
    await tablet.visit('/chat/c_001/general');
    await button(tablet, 'Expand clients').click();
    await button(tablet, 'Order by last activity').waitFor();
    await button(tablet, 'Order by last activity').click();
    await button(desk, 'Order by name').waitFor();
    expect(tablet.problems.take()).toEqual([]);
  } finally {
    await tablet.dispose();
  }
});
