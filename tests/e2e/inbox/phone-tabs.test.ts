import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';
import { changeFont, FONTS } from '#tests/support/page/font.ts';
import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { openConnected, type ShellPage, toShellPage } from '#tests/support/page/shell.ts';
import { toRestingEnd } from '#tests/support/page/thread-end.ts';
import { tap } from '#tests/support/page/touch.ts';
import { waitForReading } from '#tests/support/page/unread.ts';
import { type FaultyServer, startFaultyServer } from '#tests/support/scenes/faulty-server.ts';
import {
  type Device,
  DESKTOP_DEVICE,
  PHONE_DEVICE,
  setDevice,
} from '#tests/support/screens/device.ts';

const NARROW: Device = { ...PHONE_DEVICE, name: '320x640', width: 320, height: 640 };
const TITLES = ['Team', 'General', 'Producers'];
const MAYA = { publisher: 'client:c_001', clientName: 'Maya Okafor' };

let backend: FaultyServer;
let user: User;
let room: RoomPage;
let shell: ShellPage;

beforeAll(async () => {
  backend = await startFaultyServer();
  user = await createUser(backend.server);
});
afterAll(async () => {
  await user.dispose();
  await backend.dispose();
});
beforeEach(async () => {
  await user.startOver();
  user.problems.allow(NETWORK_AWAY);
  room = toRoomPage(user.page());
  shell = toShellPage(user.page());
  await setDevice(user.page(), PHONE_DEVICE);
  await openConnected(user.page(), async () => {
    await user.signIn(PRODUCER, '/chat/c_001');
    await tap(tab('Team'));
    await room.region.locator('[data-message-id]').first().waitFor();
  });
  // Earlier messages count as read.
  await waitForReading(user.page(), PRODUCER.uid);
});
afterEach(() => expect(user.problems.take()).toEqual([]));

const tab = (title: string) => shell.rooms.getByRole('link', { name: title, exact: true });
const descriptionOf = (title: string) => tab(title).getAttribute('aria-description');
const current = () => shell.rooms.locator('[aria-current="page"]').allInnerTexts();
/** Rendered by style, not in the text: the unread count, the state of the user's own text. */
const drawnOn = (title: string, attribute: 'data-unread' | 'data-text') =>
  tab(title)
    .locator(`span[${attribute}]`)
    .evaluateAll(
      (found, name) =>
        found.filter((span) => span.checkVisibility()).map((span) => span.getAttribute(name)),
      attribute,
    );

test("a room on a phone has its client's rooms as tabs, with unread counts in their descriptions", async () => {
  expect(await shell.rooms.count()).toBe(1);
  expect(await shell.rooms.getByRole('link').allInnerTexts()).toEqual(TITLES);
  expect(await current()).toEqual(['Team']);
  // The bar and the room's own heading name the client.
  expect(await user.page().getByRole('heading', { level: 1 }).allInnerTexts()).toHaveLength(1);
  await backend.writeAs(MAYA, 'chat.c_001.producers', 'The reel is up.');
  await backend.write('chat.c_001.general', ['First.', 'Could you look at minute 12?']);
  await expect
    .poll(() => descriptionOf('Producers'))
    .toMatch(/^1 unread, Maya: The reel is up\., /);
  await expect.poll(() => descriptionOf('General')).toMatch(/^2 unread, Leila: Could you look/);
  expect(await drawnOn('Producers', 'data-unread')).toEqual(['1']);
  expect(await drawnOn('General', 'data-unread')).toEqual(['2']);
  // A tab is too narrow for a time or a text.
  expect(await drawnOn('Producers', 'data-text')).toEqual([]);
  await tap(tab('General'));
  await room.message('minute 12?').waitFor();
  await expect.poll(() => descriptionOf('General')).toMatch(/^Leila: /);
  expect(await current()).toEqual(['General']);
  await room.composer.fill('On it');
  await tap(tab('Producers'));
  await expect.poll(() => drawnOn('General', 'data-text')).toEqual(['Draft']);
  await tap(tab('General'));
  await room.composer.fill('On it.');
  await tap(user.page().getByRole('button', { name: 'Send' }));
  await expect.poll(() => descriptionOf('General')).toMatch(/^You: On it\., /);
  expect(await drawnOn('General', 'data-text')).toEqual([]);
});

test('another room replaces the open one in the history: up and back lead to the rooms', async () => {
  const length = await user.page().evaluate(() => history.length);
  for (const title of ['General', 'Producers']) {
    await tap(tab(title));
    await expect.poll(current).toEqual([title]);
    await room.region.locator('[data-message-id]').first().waitFor();
  }
  expect(user.path()).toBe('/chat/c_001/producers');
  expect(await user.page().evaluate(() => history.length)).toBe(length);
  await tap(user.page().getByRole('link', { name: 'Back to rooms' }));
  await expect.poll(() => user.path()).toBe('/chat/c_001');
  expect(await user.page().evaluate(() => history.length)).toBe(length);
  await user.page().getByRole('heading', { name: 'Maya Rooms' }).waitFor();
  expect(await shell.rooms.count()).toBe(1);
  await tap(tab('General'));
  await expect.poll(current).toEqual(['General']);
  await tap(tab('Team'));
  await expect.poll(current).toEqual(['Team']);
  await user.page().goBack();
  await expect.poll(() => user.path()).toBe('/chat/c_001');
});

test('where the rooms are a column, each is a separate page in the history', async () => {
  await setDevice(user.page(), DESKTOP_DEVICE);
  await tab('General').click();
  await expect.poll(current).toEqual(['General']);
  await user.page().goBack();
  await expect.poll(current).toEqual(['Team']);
});

/** The positions of the thread, its last message and the composer, CSS pixels. */
const measure = async () => {
  const thread = await room.region.boundingBox();
  const last = await room.region.locator('[data-message-id]').last().boundingBox();
  const composer = await room.composer.boundingBox();
  if (thread === null || last === null || composer === null) throw new Error('not in the page');
  return { thread, last, composer };
};

test.each([PHONE_DEVICE, NARROW])(
  'tabs cover nothing of the thread and move nothing: $name',
  async (device) => {
    await setDevice(user.page(), device);
    await changeFont(user.page(), FONTS[0]);
    expect(Math.abs(await toRestingEnd(room.region))).toBeLessThanOrEqual(1);
    const before = await measure();
    expect(before.last.y + before.last.height).toBeLessThanOrEqual(before.composer.y);
    const boxes = async () => {
      const links = await shell.rooms.getByRole('link').all();
      return Promise.all(links.map((link) => link.boundingBox()));
    };
    const places = await boxes();
    for (const box of places) {
      expect(box?.height).toBeGreaterThanOrEqual(44);
      expect(box?.width).toBeGreaterThanOrEqual(44);
      expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(before.thread.y);
    }
    const text = `A longer text than fits beside the time: ${device.name}.`;
    await backend.writeAs(MAYA, 'chat.c_001.producers', text);
    await expect
      .poll(() => descriptionOf('Producers'))
      .toMatch(new RegExp(`^\\d+ unread, Maya: .*${device.name}`));
    expect(await drawnOn('Producers', 'data-unread')).toEqual([expect.stringMatching(/^\d+$/)]);
    expect(await boxes()).toEqual(places);
    expect(await measure()).toEqual(before);
    expect(Math.abs(await toRestingEnd(room.region))).toBeLessThanOrEqual(1);
    const wide = await user
      .page()
      .evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(wide).toBe(0);
    const isCut = await shell.rooms.evaluate((nav) => nav.scrollWidth > nav.clientWidth);
    expect(isCut).toBe(false);
  },
);
