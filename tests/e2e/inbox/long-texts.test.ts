import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { visitWithoutLateParts } from '#tests/support/browser/late-parts.ts';
import { createUser, DESKTOP, PRODUCER, type User } from '#tests/support/browser/user.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { toShellPage } from '#tests/support/page/shell.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { PHONE_DEVICE, setDevice } from '#tests/support/screens/device.ts';

const NAME = 'Maximiliana Konstantinopolitanska-Wolfeschlegelsteinhausenbergerdorff von Hohenlohe';

let server: ServerProcess;
let user: User;
let room: RoomPage;

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server);
  room = toRoomPage(user.page());
  await user.page().setViewportSize(DESKTOP);
  await user.signIn(PRODUCER, '/chat/c_001/team');
  await room.region.locator('[data-message-id] time').first().waitFor();
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

test('a long name leaves space for what stands after it', async () => {
  const { rooms } = toShellPage(user.page());
  const heading = rooms.getByRole('heading');
  await heading.locator('bdi').evaluate((name, text) => void (name.textContent = text), NAME);
  expect(await heading.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
  const header = room.region.locator('[data-headed]').last();
  await header.locator('span[dir]').evaluate((name, text) => void (name.textContent = text), NAME);
  const [name, time] = await Promise.all(
    ['span[dir]', 'time'].map((part) => header.locator(part).first().boundingBox()),
  );
  expect(Math.abs((name?.y ?? 0) - (time?.y ?? 99))).toBeLessThan(8);
});

test('the card of an avatar shows the whole name, also if it loads after the pointer is there', async () => {
  const release = await visitWithoutLateParts(user, '/chat/c_001/team');
  const avatar = user.page().locator('[data-hover-label][href^="/chat/c_004"]');
  await avatar.hover();
  await avatar.evaluate((link, name) => link.setAttribute('data-hover-label', name), NAME);
  release();
  const name = user.page().locator('body > [aria-hidden]').getByText(NAME, { exact: true });
  await expect.poll(() => name.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
});

test('a long preview from right to left begins with its first letter, and short ones stand after the name', async () => {
  const preview = () =>
    toShellPage(user.page()).client('Maya Okafor').locator('[dir="auto"]').last();
  const measure = () =>
    preview().evaluate((box) => {
      const letters = document.createRange();
      const text = box.lastChild;
      if (!text) throw new Error('no preview');
      letters.setStart(text, 0);
      letters.setEnd(text, 1);
      const [first, all] = [letters.getBoundingClientRect(), box.getBoundingClientRect()];
      return { text: text.textContent, start: first.left - all.left, end: all.right - first.right };
    });
  await user.page().getByRole('button', { name: 'Expand clients' }).click();
  await room.send('הקליפ מוכן לכל הקבוצה. '.repeat(8));
  await expect.poll(async () => (await measure()).text).toContain('הקליפ');
  const { start, end } = await measure();
  expect(start).toBeGreaterThan(0);
  expect(end).toBeGreaterThanOrEqual(0);
  await room.send('תודה!');
  await expect.poll(async () => (await measure()).text).toBe('תודה!');
  expect((await measure()).end).toBeGreaterThan(40);
  await user.page().getByRole('button', { name: 'Collapse clients' }).click();
});

test('on a phone each time of a reminder has one line, and the field its own', async () => {
  await setDevice(user.page(), PHONE_DEVICE);
  await user
    .page()
    .getByRole('button', { name: /^Follow up/ })
    .click();
  const dialog = user.page().getByRole('dialog', { name: 'Follow up' });
  const heights = await dialog
    .getByRole('button', { name: /morning/ })
    .evaluateAll((choices) => choices.map((choice) => choice.getBoundingClientRect().height));
  expect(new Set(heights)).toEqual(new Set([44]));
  const field = await dialog.getByLabel('Pick a time').boundingBox();
  const set = await dialog.getByRole('button', { name: 'Remind me' }).boundingBox();
  expect(field?.width).toBeGreaterThan(280);
  expect(set?.y).toBeGreaterThan((field?.y ?? 0) + 40);
  await user.page().keyboard.press('Escape');
});
