import { afterAll, beforeAll, expect, test } from 'vitest';

import { MESSAGE_BYTES_MAX } from '#domain/limits.ts';
import { OUTGOING_CLIENT_NAME, toMessageBytes } from '#domain/schemas/message.ts';
import { CHANNEL, type FaultScene, openScene, ROOM } from '#tests/support/scenes/fault-scene.ts';
import { toShellPage } from '#tests/support/page/shell.ts';
import { HOSTILE_TEXTS, toTextOfBytes } from '#tests/support/hostile-texts.ts';

let scene: FaultScene;

beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.dispose());

const isHit = (): Promise<boolean> => scene.user.page().evaluate(() => 'hit' in globalThis);

/** Invalid Unicode is replaced. */
const toShown = (text: string): string => text.toWellFormed();

/** The text of the last message, as it is in the DOM. */
const readLast = (own: boolean): Promise<string | null> =>
  scene
    .room()
    .region.locator(`[data-message-id]${own ? '[data-own="true"]' : ':not([data-own])'}`)
    .last()
    .locator('[data-readable]')
    .textContent();

test('hostile texts from others are shown as text, and do nothing', async () => {
  for (const text of HOSTILE_TEXTS) {
    await scene.backend.write(CHANNEL, [text]);
    await expect.poll(() => readLast(false)).toBe(toShown(text));
  }
  expect(await isHit()).toBe(false);
});

test('combining characters stacked on a letter do not paint over other messages', async () => {
  await scene.backend.write(CHANNEL, ['Below the stack']);
  await scene.backend.write(CHANNEL, [`Z${'\u0302'.repeat(30)}${'\u0323'.repeat(30)}`]);
  await scene.backend.write(CHANNEL, ['Above the stack']);
  const { region } = scene.room();
  const stack = region.locator('[data-message-id]').filter({ hasText: /^.*Z\u0302/u });
  const others = ['Below the stack', 'Above the stack'].map((text) => region.getByText(text));
  for (const other of others) await other.waitFor();
  const shoot = () => Promise.all(others.map((other) => other.screenshot()));
  const painted = await shoot();
  await stack.last().evaluate((element) => {
    element.style.visibility = 'hidden';
  });
  expect(await shoot()).toEqual(painted);
});

test('a text without visible characters is labelled as empty, in the room and outside', async () => {
  const page = scene.user.page();
  const last = scene.room().region.locator('[data-message-id]:not([data-own])').last();
  const link = toShellPage(page).rooms.getByRole('link', { name: 'General' });
  for (const text of ['', '   ', '\n\n\n', '\u200B', '\u2028', '\u3164', '\u2800', '\u0000']) {
    await scene.backend.write(CHANNEL, ['Here it comes.']);
    await expect.poll(() => readLast(false)).toBe('Here it comes.');
    await scene.backend.write(CHANNEL, [text]);
    await last.getByText('Empty message', { exact: true }).waitFor();
    await expect.poll(() => link.getAttribute('aria-description')).toContain('Empty message');
  }
  await scene.user.visit('/');
  await page.getByRole('link').filter({ hasText: 'Empty message' }).first().waitFor();
  await scene.user.visit(ROOM);
});

test('hostile texts written here arrive unchanged', async () => {
  for (const text of HOSTILE_TEXTS) {
    await scene.room().send(text);
    await expect.poll(() => readLast(true)).toBe(toShown(text));
  }
  const readSent = async () =>
    (await scene.backend.readLog(CHANNEL)).slice(-HOSTILE_TEXTS.length).map(toShown);
  await expect.poll(readSent).toEqual(HOSTILE_TEXTS.map(toShown));
  expect(await isHit()).toBe(false);
});

/** Size of the envelope of a message sent from here. */
const ENVELOPE = toMessageBytes({
  text: '',
  clientName: OUTGOING_CLIENT_NAME,
  clientAvatar: '',
  id: crypto.randomUUID(),
});

test.each([
  ['1 byte', 1],
  ['15,999 bytes', 15_999],
  ['16,001 bytes', 16_001],
  ['one byte under the limit with its envelope', MESSAGE_BYTES_MAX - 1 - ENVELOPE],
  ['the limit with its envelope', MESSAGE_BYTES_MAX - ENVELOPE],
])('a text of %s is sent as a whole', async (_what, bytes) => {
  const text = toTextOfBytes(bytes);
  await scene.room().send(text);
  await expect.poll(() => readLast(true)).toBe(text);
  await expect.poll(async () => (await scene.backend.readLog(CHANNEL)).at(-1)).toBe(text);
});

test.each([
  ['one byte over the limit with its envelope', MESSAGE_BYTES_MAX + 1 - ENVELOPE],
  ['32,769 bytes', 32_769],
  ['1 MB', 1_000_000],
])('a text of %s is refused at once, and stays in the field', async (_what, bytes) => {
  const text = toTextOfBytes(bytes);
  const { composer, region } = scene.room();
  const before = await region.locator('[data-message-id]').last().getAttribute('data-message-id');
  // The browser takes 6.5 s to lay out a megabyte when idle; a leader may be silent for 10 s.
  scene.user.problems.allow(/TASK_TIMED_OUT \{task: heartbeatLimit/);
  await composer.fill(text);
  await composer.press('Enter');
  await scene.user.page().getByRole('alert').first().waitFor();
  expect(await composer.inputValue()).toBe(text);
  const after = await region.locator('[data-message-id]').last().getAttribute('data-message-id');
  expect(after).toBe(before);
  await composer.fill('');
});

test('an empty text cannot be sent', async () => {
  const { composer, region } = scene.room();
  const before = await region.locator('[data-message-id]').last().getAttribute('data-message-id');
  await composer.fill(' \n\u00A0 ');
  await composer.press('Enter');
  await scene.room().send('the next one');
  const last = region.locator('[data-message-id]');
  await expect.poll(() => readLast(true)).toBe('the next one');
  expect(await last.nth(-2).getAttribute('data-message-id')).toBe(before);
});
