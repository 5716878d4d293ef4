import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { refuseMessage } from '#tests/support/browser/route-message.ts';
import { PHONE_DEVICE, setDevice } from '#tests/support/screens/device.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { createUser, DESKTOP, PRODUCER, type User } from '#tests/support/browser/user.ts';

/**
 * The page's clock stops this long after now: it cannot stop in the past, and the call takes time.
 * Neither a request nor a heartbeat that is on its way then takes too long for the page.
 */
const HOLD_MS = 5000;
const ROOM = '/chat/c_001/general';
/** Spec §9. */
const TOAST_MS = 5000;
/** Checked this much earlier and later, by the page's clock, which the test moves. */
const SLACK_MS = 500;
const STEP_MS = 50;

let server: ServerProcess;
let user: User;
let room: RoomPage;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.dispose());
beforeEach(async () => {
  user = await createUser(server);
  room = toRoomPage(user.page());
  user.problems.allow(/400/);
  await refuseMessage(user.page(), 'Nobody takes this one.');
  await user.signIn(PRODUCER, ROOM);
  await room.waitForLateParts();
  await user.page().context().grantPermissions(['clipboard-write'], { origin: server.address });
});
afterEach(async () => {
  const problems = user.problems.take();
  await user.dispose();
  expect(problems).toEqual([]);
});

const errorToast = () =>
  user.page().getByRole('alert').filter({ hasText: 'An error occured sending your message!' });

/** From now on the test advances the page's time. */
const holdTime = async (): Promise<void> => {
  await user.page().clock.install();
  await user.page().clock.pauseAt(Date.now() + HOLD_MS);
};

/** Advances the page's time in small steps, for waits of any kind. */
const untilShown = async (toast: Locator): Promise<void> => {
  await expect
    .poll(async () => {
      await user.page().clock.runFor(STEP_MS);
      return toast.count();
    })
    .toBe(1);
};

/** The toast stays until its time is over, and no longer. */
const expectToastMs = async (toast: Locator): Promise<void> => {
  const { clock } = user.page();
  await clock.runFor(TOAST_MS - SLACK_MS);
  expect(await toast.count()).toBe(1);
  await clock.runFor(2 * SLACK_MS);
  await toast.waitFor({ state: 'detached' });
};

test(
  'an error toast appears at the top, can be closed, and disappears after 5 s',
  { tags: ['S8.2', 'S9.3'] },
  async () => {
    await holdTime();
    await room.send('Nobody takes this one.');
    await untilShown(errorToast());
    const box = await errorToast().boundingBox();
    expect((box?.y ?? DESKTOP.height) + (box?.height ?? 0)).toBeLessThan(DESKTOP.height / 4);
    const header = await user.page().locator('main header').boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual((header?.y ?? Infinity) + (header?.height ?? 0));
    await errorToast().getByRole('button', { name: 'Close' }).waitFor();
    await expectToastMs(errorToast());
  },
);

test('an error toast on a phone covers neither the bar, the tabs nor the latest message', async () => {
  await setDevice(user.page(), PHONE_DEVICE);
  await room.composer.fill('Nobody takes this one.');
  await user.page().getByRole('button', { name: 'Send' }).click();
  await errorToast().hover();
  const bar = await user.page().getByRole('navigation', { name: 'Rooms' }).boundingBox();
  const toast = await errorToast().boundingBox();
  const newest = await room.message('Nobody takes this one.').boundingBox();
  expect(toast?.y).toBeGreaterThanOrEqual((bar?.y ?? Infinity) + (bar?.height ?? 0));
  expect((toast?.y ?? Infinity) + (toast?.height ?? 0)).toBeLessThanOrEqual(newest?.y ?? 0);
});

test('any other toast appears at the bottom for 5 s', { tags: ['S9.3'] }, async () => {
  await room.send('Nobody takes this one.');
  const copy = room.message('Nobody takes this one.').getByRole('button', { name: 'Copy' });
  await copy.waitFor();
  await holdTime();
  await copy.click();
  const toast = user.page().getByRole('status').filter({ hasText: 'Copied.' });
  await toast.waitFor();
  const box = await toast.boundingBox();
  expect(box?.y).toBeGreaterThan(DESKTOP.height * 0.75);
  await expectToastMs(toast);
});
