import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { type FaultyServer, startFaultyServer } from '#tests/support/scenes/faulty-server.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { toShellPage } from '#tests/support/page/shell.ts';
import { DESKTOP_DEVICE, PHONE_DEVICE, setDevice } from '#tests/support/screens/device.ts';
import { createUser, DESKTOP, PRODUCER, type User } from '#tests/support/browser/user.ts';

const ROOM = '/chat/c_001/team';
/** Rounding of fractions of a pixel. */
const SAME_PX = 1;
/** More than a badge shows as a number. */
const UNREAD = 100;

let backend: FaultyServer;
let user: User;
let room: RoomPage;

beforeAll(async () => {
  backend = await startFaultyServer();
  user = await createUser(backend.server);
  await user.signIn(PRODUCER, ROOM);
  room = toRoomPage(user.page());
  await room.region.locator('[data-message-id]').first().waitFor();
});
afterAll(async () => {
  await user.dispose();
  await backend.dispose();
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

/** The left and right edge of the visible content, CSS pixels. */
interface Edges {
  readonly left: number;
  readonly right: number;
}

const toEdges = (part: Locator): Promise<Edges> =>
  part.evaluate((element) => {
    const { left, right } = element.getBoundingClientRect();
    const { paddingLeft, paddingRight } = getComputedStyle(element);
    return { left: left + parseFloat(paddingLeft), right: right - parseFloat(paddingRight) };
  });

/** The frame around the field. */
const toFrameEdges = (field: Locator): Promise<Edges> =>
  field.evaluate((element) => {
    let frame: Element | null = element;
    while (frame && getComputedStyle(frame).borderLeftWidth === '0px') frame = frame.parentElement;
    if (frame === null) throw new Error('no frame around the field');
    const { left, right } = frame.getBoundingClientRect();
    return { left, right };
  });

/**
 * The distances between the edges of the parts, and from their middle to the middle of the pane.
 */
const measureColumn = async () => {
  const parts = [
    await toEdges(room.region.locator('[data-message-id]').last()),
    await toEdges(room.region.locator('[data-day]').last()),
    await toFrameEdges(room.composer),
  ];
  const pane = await toEdges(room.region);
  const [lefts, rights] = [parts.map(({ left }) => left), parts.map(({ right }) => right)];
  const [left = 0, right = 0] = [lefts[0], rights[0]];
  return {
    spread: Math.max(
      Math.max(...lefts) - Math.min(...lefts),
      Math.max(...rights) - Math.min(...rights),
    ),
    offCentre: Math.abs((left + right) / 2 - (pane.left + pane.right) / 2),
    margin: left - pane.left,
  };
};

test.each([1440, 1920])(
  '%i px wide, messages, day lines and composer form one centred column',
  async (width) => {
    await user.page().setViewportSize({ width, height: DESKTOP.height });
    await room.readAll();
    await room.region.locator('[data-day]').last().waitFor();
    await expect.poll(async () => (await measureColumn()).spread).toBeLessThanOrEqual(SAME_PX);
    const { offCentre, margin } = await measureColumn();
    expect(offCentre).toBeLessThanOrEqual(SAME_PX);
    expect(margin).toBeGreaterThan(20);
    await user.page().screenshot({ path: `shots/column-${width}.png` });
    await user.page().setViewportSize(DESKTOP);
  },
);

/** Runs in the page: how far the badge with its ring reaches into the initials, CSS pixels. */
const measureOverlap = (link: Element): number => {
  const avatar = link.querySelector<HTMLElement>('[data-initials]');
  const badge = link.querySelector('span[data-unread]')?.parentElement;
  if (!avatar || !badge) throw new Error('no badge');
  const style = getComputedStyle(avatar);
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) throw new Error('nothing to measure with');
  context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const text = context.measureText(avatar.dataset['initials'] ?? '');
  const box = avatar.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const baseline = y + (text.fontBoundingBoxAscent - text.fontBoundingBoxDescent) / 2;
  const ring = Number(/(\d+)px$/.exec(getComputedStyle(badge).boxShadow)?.[1] ?? 0);
  const { left, bottom } = badge.getBoundingClientRect();
  const across = x + text.width / 2 - (left - ring);
  const down = bottom + ring - (baseline - text.actualBoundingBoxAscent);
  return Math.min(across, down);
};

test('a badge of more than 99 messages covers no initial', async () => {
  const texts = Array.from({ length: UNREAD }, (_, n) => `Unread number ${n + 1}.`);
  await backend.write('chat.c_002.team', texts);
  const link = toShellPage(user.page()).client('Søren Kjærgaard');
  await expect.poll(() => link.getAttribute('aria-description')).toBe('99+ unread');
  expect(await link.evaluate(measureOverlap)).toBeLessThanOrEqual(0);
  await link.screenshot({ path: 'shots/badge-99.png' });
  await setDevice(user.page(), PHONE_DEVICE);
  const total = user
    .page()
    .getByRole('button', { name: 'Open navigation' })
    .locator('[data-unread]');
  // The badge is as wide as its text.
  expect(await total.getAttribute('data-unread')).toBe('99+');
  expect(await total.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});

test('a message taller than the screen has its menu in sight', async () => {
  const lines = Array.from({ length: 70 }, (_, n) => `Cut ${n + 1} of the list`);
  await setDevice(user.page(), DESKTOP_DEVICE);
  await user.visit('/chat/c_012/general');
  await room.composer.fill(lines.join('\n'));
  await user.page().keyboard.press('Enter');
  const message = room.message('Cut 70 of the list');
  await message.waitFor();
  await user.page().mouse.move(DESKTOP.width / 2, DESKTOP.height / 2);
  const button = message.getByRole('button', { name: 'Message actions' });
  await button.click();
  const menu = user.page().getByRole('menu', { name: 'Message actions' });
  await menu.waitFor();
  const [at, opened] = [await button.boundingBox(), await menu.boundingBox()];
  if (at === null || opened === null) throw new Error('not shown');
  expect(at.y).toBeGreaterThan(0);
  expect(Math.abs(opened.y - (at.y + at.height))).toBeLessThan(20);
  await user.page().keyboard.press('Escape');
});
