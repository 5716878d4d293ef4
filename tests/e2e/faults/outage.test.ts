import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { type FaultScene, onceEach, openScene } from '#tests/support/scenes/fault-scene.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const EVERYTHING = /^\/api\//;
const OUTAGE_MS = 30_000;
/** Enough to compare their delays. */
const TRIES_MIN = 6;

let scene: FaultScene;

beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.dispose());
beforeEach(() => scene.backend.proxy.heal());

test.each([
  ['nobody answers', { kind: 'refuse' }],
  ['all is 503', { kind: 'status', status: 503 }],
] as const)('an outage causes no flood of requests: %s', async (what, fault) => {
  const { backend, room } = scene;
  const texts = [1, 2, 3].map((n) => `${what} ${n}`);
  backend.proxy.break(EVERYTHING, fault);
  if (fault.kind === 'status') backend.proxy.freezeStreams();
  const from = Date.now();
  for (const text of texts) await room().send(text);
  const findDuring = () => backend.proxy.requests.filter(({ at }) => at >= from);
  await waitFor('an outage of many tries', () => {
    return Date.now() - from > OUTAGE_MS && findDuring().length > TRIES_MIN;
  });
  const seconds = (Date.now() - from) / 1000;
  const during = findDuring();
  console.info(`${what}: ${during.length} requests in ${seconds.toFixed(1)} s`);
  expect(during.length / seconds).toBeLessThan(1);
  // The delays must differ: retries of many browsers must not coincide.
  const pauses = during.slice(1).map(({ at }, i) => at - during[i]!.at);
  expect(new Set(pauses.map((ms) => Math.round(ms / 50))).size).toBeGreaterThan(3);
  backend.proxy.heal();
  for (const text of texts) await scene.expectSent(text);
  expect(await scene.findEverywhere(texts)).toEqual(onceEach(texts));
});

test('when the browser reports online, everything is sent at once', async () => {
  const { room, user } = scene;
  await user.goOffline();
  await room().send('waiting for the network');
  await expect.poll(scene.status).toMatch(/^Offline/);
  // An attempt may have begun before the page detected that it is offline.
  await expect.poll(() => scene.stateOf('waiting for the network')).toBe('queued');
  await user.goOnline();
  await scene.expectSent('waiting for the network');
});

test('nothing is lost when the server is killed and restarted during a burst of messages', async () => {
  const { backend, room } = scene;
  const texts = Array.from({ length: 20 }, (_, n) => `burst ${n + 10}`);
  for (const text of texts.slice(0, 10)) await room().send(text);
  await backend.server.kill();
  for (const text of texts.slice(10)) await room().send(text);
  await expect.poll(scene.status).toMatch(/^Reconnecting/);
  await backend.server.start();
  for (const text of texts.slice(-1)) await scene.expectSent(text);
  expect(await scene.findEverywhere(texts)).toEqual(onceEach(texts));
  await expect.poll(scene.status).toMatch(/^(Online)?$/);
});
