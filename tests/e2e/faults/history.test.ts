import { afterAll, beforeAll, expect, test } from 'vitest';

import {
  CHANNEL,
  type FaultScene,
  onceEach,
  openScene,
} from '#tests/support/scenes/fault-scene.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const HISTORY = /^\/api\/realtime\/history/;
/** The first request of every catch-up round. */
const COUNTS = /^\/api\/realtime\/counts/;
const ROOMS_BEHIND = 24;
const ROUNDS = 4;
/** A failing round stops after two rooms; other reads of history add one. */
const REQUESTS_PER_ROUND_MAX = 3;

const MISSED = ['Missed one.', 'Missed two.', 'Missed three.'];
const MEANWHILE = ['Live meanwhile.', 'Sent meanwhile.'];

let scene: FaultScene;
let behind: readonly string[];

const toChannel = (path: string): string =>
  new URL(path, 'http://desk').searchParams.get('channel') ?? '';
const findRequests = (what: RegExp, from = 0) =>
  scene.desk.proxy.requests.slice(from).filter(({ path }) => what.test(path));
const findChannels = (from: number): readonly string[] => [
  ...new Set(findRequests(HISTORY, from).map(({ path }) => toChannel(path))),
];

/** Returns from an absence to many rooms with new messages; history fails from then on. */
beforeAll(async () => {
  scene = await openScene();
  const { desk, user } = scene;
  // A busy machine can delay a heartbeat, which is logged.
  user.problems.allow(/TASK_TIMED_OUT/);
  await waitFor('rooms read ahead', () => findChannels(0).length > ROOMS_BEHIND);
  await user.goOffline();
  behind = findChannels(0).slice(0, ROOMS_BEHIND);
  for (const channel of behind) await desk.write(channel, ['News.']);
  await desk.write(CHANNEL, MISSED);
  desk.proxy.break(HISTORY, { kind: 'status', status: 503 });
  await user.goOnline();
});
afterAll(() => scene.dispose());

test('during a history outage the page stays online and shows live messages', async () => {
  const { desk, room } = scene;
  await room().message('Missed three.').waitFor();
  await desk.write(CHANNEL, ['Live meanwhile.']);
  await room().message('Live meanwhile.').waitFor();
  await room().send('Sent meanwhile.');
  await scene.expectSent('Sent meanwhile.');
  await expect.poll(scene.status).toMatch(/^(?:Online)?$/);
});

test('with many rooms behind, a catch-up round takes few requests', async () => {
  const first = findRequests(COUNTS).length;
  await waitFor('rounds that failed', () => findRequests(COUNTS).length >= first + ROUNDS);
  const [from, to] = [first, first + ROUNDS - 1].map((round) => findRequests(COUNTS)[round]!.at);
  const during = findRequests(HISTORY).filter(({ at }) => at >= from! && at < to!);
  expect(during.length).toBeGreaterThan(0);
  expect(during.length).toBeLessThanOrEqual((ROUNDS - 1) * REQUESTS_PER_ROUND_MAX);
  await expect.poll(scene.status).toMatch(/^(?:Online)?$/);
});

test('when history answers again, every room catches up by itself', async () => {
  const from = scene.desk.proxy.requests.length;
  scene.desk.proxy.heal();
  await waitFor('all rooms', () => {
    const read = new Set(findChannels(from));
    return behind.every((channel) => read.has(channel));
  });
  const texts = [...MISSED, ...MEANWHILE];
  expect(await scene.findEverywhere(texts)).toEqual(onceEach(texts));
});
