import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import {
  bringBack,
  leaveToBackground,
  readNotifications,
} from '#tests/support/browser/background.ts';
import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';
import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { chooseFromMessage } from '#tests/support/page/message-menu.ts';
import { toRoomPage } from '#tests/support/page/room.ts';
import { openConnected, toShellPage } from '#tests/support/page/shell.ts';
import { DESKTOP_DEVICE, PHONE_DEVICE, setDevice } from '#tests/support/screens/device.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';

const PLACE = "Aoife O'Sullivan · General";
const HOUR_MS = 3_600_000;

let server: ServerProcess;
let user: User;

beforeAll(async () => {
  server = await startServer();
  // The small browser of other tests grants no permissions.
  user = await createUser(server, 'whole');
  user.problems.allow(NETWORK_AWAY);
  await user.page().context().grantPermissions(['notifications'], { origin: server.address });
  await user.signIn(PRODUCER);
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

const button = (name: string) => user.page().getByRole('button', { name });
const home = () =>
  user.page().getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' });
/** The number on the link to Home, which style draws, and its description. */
const readHomeLink = () =>
  home().evaluate((link) => ({
    drawn: link.querySelector('[data-unread]')?.getAttribute('data-unread') ?? null,
    described: document.querySelector(`#${link.getAttribute('aria-describedby')}`)?.textContent,
  }));
const toast = () => user.page().getByText(`Reminder: ${PLACE}`, { exact: true });
/** The small part of being hidden that the page can notice; the browser shows it all the while. */
const pretendHidden = (hidden: boolean): Promise<void> =>
  user.page().evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    },
    hidden ? 'hidden' : 'visible',
  );
/** The number on the button for the navigation of phones. */
const readNavigationButton = async (): Promise<number> => {
  const drawn = button('Open navigation').locator('[data-unread]');
  return Number((await drawn.count()) === 0 ? 0 : await drawn.getAttribute('data-unread'));
};
const NOTHING_DUE = { drawn: null, described: '' };
const ONE_DUE = { drawn: '1', described: '1 reminder is due' };

/** Moves the clock of the open page. */
const moveClock = (ms: number): Promise<void> =>
  user.page().evaluate((ms) => {
    const readClock = Date.now.bind(Date);
    Date.now = () => readClock() + ms;
  }, ms);
const remindInOneHour = async (): Promise<void> => {
  await openConnected(user.page(), () => user.visit('/chat/c_003/general'));
  await button('Follow up').click();
  await button('In 1 hour').click();
  await user.page().getByText(`${PLACE}: reminder set for`).waitFor();
  // The description appears with the part of the page that announces reminders.
  await expect.poll(readHomeLink).toEqual(NOTHING_DUE);
};

test('a reminder that becomes due is announced on any page, offline, and stays on Home', async () => {
  await remindInOneHour();
  await user.page().getByRole('link', { name: 'Videos' }).click();
  await user.goOffline();
  await expect.poll(() => toShellPage(user.page()).connection.innerText()).toMatch(/^Offline/);
  await moveClock(HOUR_MS);
  await toast().hover();
  await expect.poll(readHomeLink).toEqual(ONE_DUE);
  await button('Open').click();
  await expect.poll(() => user.path()).toBe('/chat/c_003/general');
  await home().click();
  const entry = user.page().getByRole('region', { name: 'Reminders' }).getByRole('link');
  await entry.filter({ hasText: "Aoife O'Sullivan" }).waitFor();
  await button(`Done in ${PLACE}`).click();
  // It stays while the pointer is over it.
  await button('Undo').hover();
  await expect.poll(readHomeLink).toEqual(NOTHING_DUE);
  // Undo returns it without announcing it again.
  await button('Undo').click();
  await expect.poll(readHomeLink).toEqual(ONE_DUE);
  expect(await toast().count()).toBe(0);
  await button(`Done in ${PLACE}`).click();
  await expect.poll(readHomeLink).toEqual(NOTHING_DUE);
  await user.goOnline();
});

test('a reminder about a message leads to it', async () => {
  await openConnected(user.page(), () => user.visit('/chat/c_004/general'));
  const first = toRoomPage(user.page()).region.locator('[data-message-id]').first();
  await first.scrollIntoViewIfNeeded();
  const id = await first.getAttribute('data-message-id');
  await chooseFromMessage(first, 'Remind me');
  await user.page().getByRole('dialog').getByRole('button', { name: 'In 1 hour' }).click();
  await home().click();
  const reminders = user.page().getByRole('region', { name: 'Reminders' });
  await reminders.getByText('About an earlier message').click();
  const marked = user.page().locator('[data-message-id][aria-current="true"]');
  await expect.poll(() => marked.getAttribute('data-message-id')).toBe(id);
  await home().click();
  await reminders.getByRole('button', { name: /^Done in/ }).click();
  await expect.poll(() => reminders.count()).toBe(0);
});

test('on a phone the button of the navigation also counts due reminders', async () => {
  await remindInOneHour();
  await setDevice(user.page(), PHONE_DEVICE);
  await button('Open navigation').waitFor();
  const before = await readNavigationButton();
  await moveClock(HOUR_MS);
  await toast().waitFor();
  await expect.poll(readNavigationButton).toBe(before + 1);
  await setDevice(user.page(), DESKTOP_DEVICE);
  await button('Follow up').click();
  await button('Remove').click();
  await expect.poll(readHomeLink).toEqual(NOTHING_DUE);
});

test('an answer in the room ends a reminder that is due, offline too', async () => {
  await remindInOneHour();
  await user.goOffline();
  await expect.poll(() => toShellPage(user.page()).connection.innerText()).toMatch(/^Offline/);
  await moveClock(HOUR_MS);
  await expect.poll(readHomeLink).toEqual(ONE_DUE);
  await toRoomPage(user.page()).send('It is on its way.');
  await expect.poll(readHomeLink).toEqual(NOTHING_DUE);
  await user.goOnline();
});

test('without notifications it is announced once the page is visible again', async () => {
  await remindInOneHour();
  await pretendHidden(true);
  await moveClock(HOUR_MS);
  await expect.poll(readHomeLink).toEqual(ONE_DUE);
  expect(await toast().count()).toBe(0);
  await pretendHidden(false);
  await toast().waitFor();
  await button('Follow up').click();
  await button('Remove').click();
  await expect.poll(readHomeLink).toEqual(NOTHING_DUE);
});

test('in the background it is a notification, until the reminder is removed', async () => {
  await user.visit('/settings');
  const turn = user.page().getByRole('switch', { name: 'Show notifications' });
  await turn.click();
  await expect.poll(() => turn.isChecked()).toBe(true);
  await remindInOneHour();
  await leaveToBackground(user.page());
  await moveClock(HOUR_MS);
  const notification = { title: PLACE, body: 'A reminder is due.', silent: true };
  await expect.poll(() => readNotifications(user.page())).toEqual([notification]);
  await bringBack(user.page());
  await button('Follow up').click();
  await button('Remove').click();
  await expect.poll(() => readNotifications(user.page())).toEqual([]);
  await expect.poll(readHomeLink).toEqual(NOTHING_DUE);
});

test('a notification of an earlier page is closed if the reminder is no longer due', async () => {
  await remindInOneHour();
  await leaveToBackground(user.page());
  await moveClock(HOUR_MS);
  await expect.poll(async () => (await readNotifications(user.page())).length).toBe(1);
  await bringBack(user.page());
  // The clock of the next page is right again: nothing is due.
  await user.visit('/videos');
  await expect.poll(readHomeLink).toEqual(NOTHING_DUE);
  await expect.poll(() => readNotifications(user.page())).toEqual([]);
});
