import { afterEach, expect, test } from 'vitest';

import {
  CHANNEL,
  type FaultScene,
  onceEach,
  openScene,
} from '#tests/support/scenes/fault-scene.ts';

const DAY_MS = 86_400_000;

/** Runs before the page: its clock is off from the start. */
const shiftClock = (offset: number): void => {
  const RealDate = Date;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given: []) =>
      given.length === 0 ? new target(target.now() + offset) : new target(...given),
    get: (target, name) =>
      name === 'now' ? () => target.now() + offset : Reflect.get(target, name),
  });
};

let scene: FaultScene;

afterEach(() => scene.dispose());

test.each([
  ['40 days ahead', 40 * DAY_MS],
  ['40 days behind', -40 * DAY_MS],
  ['half a day ahead', DAY_MS / 2],
])('a device clock that is %s does not affect order, delivery or pace', async (_how, offset) => {
  scene = await openScene();
  const { desk, room, user } = scene;
  await user.page().addInitScript(shiftClock, offset);
  await user.page().reload();
  await room().composer.waitFor();
  const asked = await user.page().evaluate(() => Date.now());
  expect(Math.abs(asked - Date.now() - offset)).toBeLessThan(DAY_MS / 8);
  const from = Date.now();
  await room().send('mine first');
  await scene.expectSent('mine first');
  await desk.write(CHANNEL, ['theirs second']);
  await room().message('theirs second').waitFor();
  await room().send('mine third');
  await scene.expectSent('mine third');
  const texts = ['mine first', 'theirs second', 'mine third'];
  expect(await scene.findEverywhere(texts)).toEqual(onceEach(texts));
  await expect.poll(scene.status).toMatch(/^(Online)?$/);
  await expect.poll(() => Date.now() - from).toBeGreaterThan(8000);
  const seconds = (Date.now() - from) / 1000;
  const calls = desk.proxy.requests.filter(
    ({ at, path }) => at > from && path.startsWith('/api/auth/'),
  );
  expect(calls.length / seconds).toBeLessThan(1);
});
