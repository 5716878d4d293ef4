import { afterEach, expect, test } from 'vitest';

import {
  CHANNEL,
  type FaultScene,
  onceEach,
  openScene,
} from '#tests/support/scenes/fault-scene.ts';

const DAY_MS = 86_400_000;
/**
 * The page's clock stops this long after now: it cannot stop in the past, and the call takes time.
 */
const HOLD_MS = 20_000;
/** Then it runs for a minute, second by second. */
const SECONDS = 60;
const SECOND_MS = 1000;
/** The page asks for its session every minute, and for a token every 30 s, if they seem expired. */
const ASKS_MAX = 15;
/** Requests that depend on the clock: for the session, and for a token. */
const ASKS = /^\/api\/(?:auth\/session|realtime\/token)/;

let scene: FaultScene;

afterEach(() => scene.dispose());

/** A minute of the page's time, in each second of which the network answers. */
const passMinute = async (now: number): Promise<void> => {
  const page = scene.user.page();
  // Storage is as slow as ever, so that it seems to take too long.
  scene.user.problems.allow(/TASK_TIMED_OUT/);
  await page.clock.pauseAt(now + HOLD_MS);
  for (let second = 0; second < SECONDS; second += 1) {
    await page.clock.runFor(SECOND_MS);
    await page.evaluate(() => fetch('/api/config').then(() => undefined));
  }
};

test.each([
  ['40 days ahead', 40 * DAY_MS],
  ['40 days behind', -40 * DAY_MS],
  ['half a day ahead', DAY_MS / 2],
])('a device clock that is %s does not affect order, delivery or pace', async (_how, offset) => {
  scene = await openScene();
  const { backend, room, user } = scene;
  await user.page().clock.install({ time: Date.now() + offset });
  const before = backend.proxy.requests.length;
  await user.page().reload();
  await room().composer.waitFor();
  const asked = await user.page().evaluate(() => Date.now());
  expect(Math.abs(asked - Date.now() - offset)).toBeLessThan(DAY_MS / 8);
  await room().send('mine first');
  await scene.expectSent('mine first');
  await backend.write(CHANNEL, ['theirs second']);
  await room().message('theirs second').waitFor();
  await room().send('mine third');
  await scene.expectSent('mine third');
  const texts = ['mine first', 'theirs second', 'mine third'];
  expect(await scene.findEverywhere(texts)).toEqual(onceEach(texts));
  await expect.poll(scene.status).toMatch(/^(Online)?$/);
  await passMinute(Date.now() + offset);
  const asks = backend.proxy.requests.slice(before).filter(({ path }) => ASKS.test(path));
  expect(asks.length).toBeGreaterThan(0);
  expect(asks.length).toBeLessThanOrEqual(ASKS_MAX);
});
