import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import {
  createUser,
  DESKTOP,
  PHONE,
  PRODUCER,
  TEAM,
  type User,
} from '#tests/support/browser/user.ts';
import { keepToasts } from '#tests/support/page/long-delays.ts';
import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { findUnread } from '#tests/support/page/unread.ts';
import { toRoomPage } from '#tests/support/page/room.ts';
import { waitUntilCurrent } from '#tests/support/page/shell.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { openTerminal, type Terminal } from '#tests/support/process/terminal.ts';

/** Her rooms do not wait at first. */
const AOIFE = "Aoife O'Sullivan";
const PLACE = `${AOIFE} · General`;

let server: ServerProcess;
let desk: User;
let colleague: User;
let client: Terminal;
const users: User[] = [];

const openDevice = async (account = PRODUCER, prepare?: (user: User) => Promise<void>) => {
  const user = await createUser(server);
  users.push(user);
  user.problems.allow(NETWORK_AWAY);
  await user.page().context().addInitScript(keepToasts);
  await prepare?.(user);
  await user.signIn(account);
  await waitUntilCurrent(user.page());
  return user;
};
const region = (user: User, name: string): Locator =>
  user.page().getByRole('region', { name, exact: true });
const entry = (user: User, name = 'Needs reply'): Locator =>
  region(user, name).getByRole('link').filter({ hasText: AOIFE });
/** All entries, also those beyond the first eight. */
const showAll = (user: User): Promise<void> =>
  region(user, 'Needs reply')
    .getByRole('button', { name: /^Show all/ })
    .click();
const button = (user: User, name: string): Locator => user.page().getByRole('button', { name });
const left = { state: 'detached' } as const;

beforeAll(async () => {
  server = await startServer();
  client = await openTerminal(server, 'c_003', 'general');
  desk = await openDevice();
  colleague = await openDevice(TEAM);
  for (const user of [desk, colleague]) await showAll(user);
});
afterAll(async () => {
  await client.close();
  for (const user of users) await user.dispose();
  await server.dispose();
});
afterEach(() => {
  for (const user of users) expect(user.problems.take()).toEqual([]);
});

const ask = async (text: string): Promise<void> => {
  client.write(text);
  for (const user of [desk, colleague]) await entry(user).filter({ hasText: text }).waitFor();
};

test('a room that needs no reply leaves the list of all staff until the client writes again', async () => {
  await ask('Thanks, all good!');
  const { keyboard } = desk.page();
  const all = region(desk, 'Needs reply').getByRole('link');
  const before = await all.count();
  // Without a focused entry the key does nothing.
  await keyboard.press('e');
  await entry(desk).focus();
  await keyboard.down('e');
  await entry(desk).waitFor(left);
  // A key that is held repeats.
  for (let n = 0; n < 5; n += 1) await keyboard.down('e');
  await keyboard.up('e');
  await entry(colleague).waitFor(left);
  expect(await all.count()).toBe(before - 1);
  // It was the last one to be handled now: no other gets the focus before it is chosen.
  const focused = desk.page().locator('[data-entry]:focus');
  expect(await focused.count()).toBe(0);
  await keyboard.press('k');
  expect(await focused.count()).toBe(1);
  await ask('One more thing.');
});

test('undoing Done returns the room for all staff, unread as it was', async () => {
  const before = await findUnread(colleague);
  await button(colleague, `Done in ${PLACE}`).click();
  const undo = button(colleague, 'Undo').last();
  // It stays while the pointer is over it.
  await undo.hover();
  await entry(desk).waitFor(left);
  expect(await entry(colleague).count()).toBe(0);
  await expect.poll(() => findUnread(colleague)).toBeLessThan(before);
  await undo.click();
  await expect.poll(() => findUnread(colleague)).toBe(before);
  for (const user of [desk, colleague]) {
    await entry(user).filter({ hasText: 'One more thing.' }).waitFor();
  }
});

test('Done without a network is stored on the device, survives a restart, and is shared later', async () => {
  await desk.page().evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await desk.goOffline();
  await button(desk, `Done in ${PLACE}`).click();
  await entry(desk).waitFor(left);
  await desk.visit('/');
  await showAll(desk);
  await region(desk, 'Needs reply').getByRole('link').first().waitFor();
  expect(await entry(desk).count()).toBe(0);
  expect(await entry(colleague).count()).toBe(1);
  await desk.goOnline();
  await entry(colleague).waitFor(left);
});

test('a message that arrives behind the open dialog is not marked as done with it', async () => {
  await ask('Which colour is the tape?');
  await button(desk, `Follow up in ${PLACE}`).click();
  await ask('Urgent: please call me.');
  await button(desk, 'Done, no reply needed').click();
  await button(desk, 'Undo').waitFor();
  for (const user of [desk, colleague]) {
    expect(await entry(user).filter({ hasText: 'Urgent: please call me.' }).count()).toBe(1);
  }
});

test('a postponed room returns on time, on its user’s devices only', async () => {
  await ask('When do we meet?');
  await button(desk, `Follow up in ${PLACE}`).click();
  await desk
    .page()
    .getByRole('dialog', { name: 'Follow up' })
    .getByRole('button', { name: /^In 1 hour/ })
    .click();
  await entry(desk).waitFor(left);
  // Until then, it is listed with its time, below the rooms that wait.
  const time = /(?:Today|\w{3} \d{1,2} \w{3,4}(?: \d{4})?), \d{1,2}:\d\d [AP]M/;
  await entry(desk, 'Reminders')
    .filter({ hasText: 'When do we meet?' })
    .filter({ hasText: time })
    .waitFor();
  const toRegions = () =>
    desk
      .page()
      .locator('[data-section]')
      .evaluateAll((all) => all.slice(0, 2).map((one) => one.getAttribute('aria-label')));
  await expect.poll(toRegions).toEqual(['Needs reply', 'Reminders']);
  const hourLater = await openDevice(PRODUCER, async (user) => {
    await user.page().addInitScript(() => {
      const readClock = Date.now.bind(Date);
      const AHEAD_MS = 3_660_000;
      Date.now = () => readClock() + AHEAD_MS;
    });
  });
  await entry(hourLater, 'Reminders').filter({ hasText: 'When do we meet?' }).waitFor();
  expect(await entry(hourLater).count()).toBe(0);
  expect(await entry(colleague).count()).toBe(1);
  await button(hourLater, `Done in ${PLACE}`).click();
  await region(hourLater, 'Reminders').waitFor(left);
  await entry(colleague).waitFor(left);
});

test('the room offers the same actions, and removes a reminder', async () => {
  await ask('Are you there?');
  await desk.visit('/chat/c_003/general');
  await toRoomPage(desk.page()).message('Are you there?').waitFor();
  await button(desk, 'Follow up').click();
  const dialog = desk.page().getByRole('dialog', { name: 'Follow up' });
  await dialog.getByRole('button', { name: 'Remind me' }).click();
  await dialog.getByRole('alert').filter({ hasText: 'Choose a time in the future.' }).waitFor();
  await dialog.getByLabel('Pick a time').fill('2035-05-01T09:30');
  // The device is turned: the button moves into the bar of phones, and back.
  for (const size of [PHONE, DESKTOP]) {
    await desk.page().setViewportSize(size);
    const state = size === PHONE ? 'attached' : 'detached';
    await desk.page().locator('[data-phone]').waitFor({ state });
    expect(await dialog.getByLabel('Pick a time').inputValue()).toBe('2035-05-01T09:30');
  }
  await dialog.getByRole('button', { name: 'Remind me' }).click();
  await button(desk, 'Follow up. Reminder: Tue 1 May 2035, 9:30 AM').click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await button(desk, 'Follow up').click();
  await dialog.getByRole('button', { name: 'Done, no reply needed' }).click();
  await entry(colleague).waitFor(left);
  expect(await dialog.count()).toBe(0);
  await button(desk, 'Follow up').click();
  await dialog.getByRole('button', { name: 'Mark as needing a reply' }).click();
  await entry(colleague).filter({ hasText: 'Are you there?' }).waitFor();
  await desk.visit('/');
  await showAll(desk);
});

test('a room that a user takes is under Mine, and colleagues see who took it', async () => {
  await ask('Who takes care of me?');
  await button(colleague, `Follow up in ${PLACE}`).click();
  const dialog = colleague.page().getByRole('dialog', { name: 'Follow up' });
  await dialog.getByRole('button', { name: 'Take this room' }).click();
  await entry(desk).filter({ hasText: 'General · Leila Haddad' }).waitFor();
  await entry(colleague).filter({ hasText: 'General · You' }).waitFor();
  await desk.visit('/chat/c_003/general');
  await button(desk, 'Follow up').click();
  const other = desk.page().getByRole('dialog', { name: 'Follow up' });
  await other.getByText('Leila Haddad has taken this room.').waitFor();
  await other.getByRole('button', { name: 'Take over' }).click();
  await entry(colleague).filter({ hasText: 'General · Jonas Weidner' }).waitFor();
  await button(desk, 'Expand clients').click();
  await desk.page().getByRole('radio', { name: 'Mine' }).check();
  const clients = desk.page().getByRole('navigation', { name: 'Clients' }).getByRole('link');
  await expect.poll(() => clients.count()).toBe(1);
  expect(await clients.innerText()).toContain(AOIFE);
  await button(desk, 'Follow up').click();
  await other.getByRole('button', { name: 'Release' }).click();
  await desk.page().getByText(`${PLACE}: released.`).waitFor();
  // The open client stays in the list until the filter or the room changes.
  expect(await clients.count()).toBe(1);
  await desk.page().getByRole('radio', { name: 'All' }).check();
  await desk.page().getByRole('radio', { name: 'Mine' }).check();
  await desk.page().getByText("You haven't taken any rooms.").waitFor();
});

test('"In 1 hour" counts from the choice, however long the dialog was open', async () => {
  await desk.visit('/chat/c_003/general');
  await button(desk, 'Follow up').click();
  const dialog = desk.page().getByRole('dialog', { name: 'Follow up' });
  await dialog.waitFor();
  const due = await desk.page().evaluate(() => {
    const HOUR_MS = 3_600_000;
    const later = Date.now() + 2 * HOUR_MS;
    Date.now = () => later;
    return new Date(later + HOUR_MS).toLocaleTimeString('en-US', { timeStyle: 'short' });
  });
  await dialog.getByRole('button', { name: /^In 1 hour/ }).click();
  const toast = desk.page().getByText(`${PLACE}: reminder set for`);
  const time = due.replaceAll(/\s/gu, ' ');
  expect(await toast.innerText()).toMatch(new RegExp(`, ${time}\\.$`));
});
