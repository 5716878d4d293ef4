import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import type { Locator } from 'playwright-core';

import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';
import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { waitForStoreFlag } from '#tests/support/page/indexed-db-dump.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { getSession } from '#tests/support/page/session.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { type Device, PHONE_DEVICE, setDevice } from '#tests/support/screens/device.ts';

const DEVICES: readonly Device[] = [
  { ...PHONE_DEVICE, name: 'a phone on its side', width: 640, height: 300 },
  { ...PHONE_DEVICE, name: 'a desktop window at 400 %', width: 320, height: 256 },
];
const PATH = '/chat/c_001/team';

let server: ServerProcess;
let user: User;
let room: RoomPage;

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server);
  room = toRoomPage(user.page());
  await user.signIn(PRODUCER, PATH);
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});
beforeEach(() => user.problems.allow(NETWORK_AWAY));
afterEach(() => expect(user.problems.take()).toEqual([]));

const last = () => room.region.locator('[data-message-id]').last();

const open = async (device: Device): Promise<void> => {
  await setDevice(user.page(), device);
  await user.visit(PATH);
  await last().waitFor();
};

/** Scrolls to an element; its edges in the window, px. */
const reach = async (element: Locator) => {
  await element.scrollIntoViewIfNeeded();
  const { y, height } = (await element.boundingBox()) ?? { y: Number.NaN, height: 0 };
  return { top: y, bottom: y + height };
};

test.each(DEVICES)('every item of a menu can be reached: $name', async (device) => {
  await open(device);
  const buttons = [
    last().getByRole('button', { name: 'Message actions' }),
    user.page().getByRole('button', { name: 'User menu' }),
  ];
  for (const button of buttons) {
    await button.press('Enter');
    const items = user.page().getByRole('menuitem');
    await items.first().and(user.page().locator(':focus')).waitFor();
    for (const item of await items.all()) {
      const { top, bottom } = await reach(item);
      expect(top).toBeGreaterThanOrEqual(0);
      expect(bottom).toBeLessThanOrEqual(device.height);
    }
    await user.page().keyboard.press('Escape');
    await items.first().waitFor({ state: 'detached' });
  }
});

test.each(DEVICES)('a long draft leaves space for the thread: $name', async (device) => {
  await open(device);
  await room.composer.fill('row\n'.repeat(8));
  const thread = await room.region.boundingBox();
  expect(thread?.height).toBeGreaterThan(40);
  expect((await reach(room.composer)).bottom).toBeLessThanOrEqual(device.height);
  await room.composer.fill('');
});

test('a notice about storage leaves the message field in the window', async () => {
  await user.visit(PATH);
  await last().waitFor();
  const session = await getSession(user.page());
  await waitForStoreFlag(user.page());
  await user.visit('/manifest.webmanifest');
  const { address: origin } = server;
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' });
  await user.visit(PATH);
  await user.page().getByText('Storage was lost').waitFor();
  for (const device of DEVICES) {
    await setDevice(user.page(), device);
    expect((await reach(room.composer)).bottom).toBeLessThanOrEqual(device.height);
  }
});
