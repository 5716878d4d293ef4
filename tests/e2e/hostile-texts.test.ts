import { afterAll, beforeAll, expect, test } from 'vitest';

import { CHANNEL, type FaultScene, openScene } from '#tests/support/fault-scene.ts';
import { HOSTILE_TEXTS } from '#tests/support/hostile-texts.ts';

let scene: FaultScene;

beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.dispose());

const isHit = (): Promise<boolean> => scene.user.page().evaluate(() => 'hit' in globalThis);

/** The text of the last message on the screen, as it is in the page. */
const readLast = (own: boolean): Promise<string | null> =>
  scene
    .room()
    .region.locator(`[data-message-id]${own ? '[data-own="true"]' : ':not([data-own])'}`)
    .last()
    .locator('[data-readable]')
    .textContent();

test('hostile texts from others are shown as they are, and do nothing', async () => {
  for (const text of HOSTILE_TEXTS) {
    await scene.desk.write(CHANNEL, [text]);
    await expect.poll(() => readLast(false)).toBe(text);
  }
  expect(await isHit()).toBe(false);
});

test('hostile texts written here arrive as they were written', async () => {
  for (const text of HOSTILE_TEXTS) {
    await scene.room().send(text);
    await expect.poll(() => readLast(true)).toBe(text);
  }
  const log = await scene.desk.readLog(CHANNEL);
  await expect
    .poll(async () => (await scene.desk.readLog(CHANNEL)).slice(-HOSTILE_TEXTS.length))
    .toEqual(HOSTILE_TEXTS);
  expect(log.length).toBeGreaterThan(HOSTILE_TEXTS.length);
  expect(await isHit()).toBe(false);
});

test('a text just under the limit is sent whole', async () => {
  const text = 'x'.repeat(32_300);
  await scene.room().send(text);
  await expect.poll(() => readLast(true)).toBe(text);
});

test('a text over the limit is refused at once, and stays in the field', async () => {
  const text = 'x'.repeat(33_000);
  await scene.room().composer.fill(text);
  await scene.room().composer.press('Enter');
  await scene.user.page().getByRole('alert').waitFor();
  expect(await scene.room().composer.inputValue()).toBe(text);
});
