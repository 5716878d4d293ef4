import { afterAll, beforeAll, expect, test } from 'vitest';

import {
  CHANNEL,
  type FaultScene,
  onceEach,
  openScene,
  ROOM,
} from '#tests/support/scenes/fault-scene.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const HISTORY = /^\/api\/realtime\/history/;
/** The first request of every catch-up round. */
const COUNTS = /^\/api\/realtime\/counts/;
/** The newest pages of ten rooms, in the order of the list. */
const MANY = /^\/api\/realtime\/history$/;
const FIRST_ROOMS = Array.from({ length: 8 }, (_, n) => `c_00${n + 1}`).flatMap((id) =>
  ['team', 'general', 'producers'].map((room) => `chat.${id}.${room}`),
);

const MISSED = ['Missed one.', 'Missed two.', 'Missed three.'];
const MEANWHILE = ['Live meanwhile.', 'Sent meanwhile.'];

let scene: FaultScene;
let behind: readonly string[];
/** Number of requests before the network returned. */
let returned: number;

const toChannel = (path: string): string =>
  new URL(path, 'http://desk').searchParams.get('channel') ?? '';
const findRequests = (what: RegExp, from = 0) =>
  scene.backend.proxy.requests.slice(from).filter(({ path }) => what.test(path));
const findChannels = (from: number): readonly string[] => [
  ...new Set(findRequests(HISTORY, from).map(({ path }) => toChannel(path))),
];

/** Returns from an absence to many rooms with new messages; history fails from then on. */
beforeAll(async () => {
  scene = await openScene();
  const { backend, user } = scene;
  // A busy machine can delay a heartbeat, which is logged.
  user.problems.allow(/TASK_TIMED_OUT/);
  await waitFor('rooms read ahead', () => findRequests(MANY).length >= 5);
  await user.goOffline();
  behind = FIRST_ROOMS.filter((channel) => channel !== CHANNEL);
  for (const channel of behind) await backend.write(channel, ['News.']);
  await backend.write(CHANNEL, MISSED);
  backend.proxy.break(HISTORY, { kind: 'status', status: 503 });
  returned = backend.proxy.requests.length;
  await user.goOnline();
});
afterAll(() => scene.dispose());

test('during a history outage the page stays online and shows live messages', async () => {
  const { backend, room } = scene;
  await room().message('Missed three.').waitFor();
  await backend.write(CHANNEL, ['Live meanwhile.']);
  await room().message('Live meanwhile.').waitFor();
  await room().send('Sent meanwhile.');
  await scene.expectSent('Sent meanwhile.');
  await expect.poll(scene.status).toMatch(/^(?:Online)?$/);
});

test('many rooms with missed messages need no history: the stream delivers them', async () => {
  const { backend, room, user } = scene;
  const asked = new Set(findChannels(returned));
  expect(behind.filter((channel) => asked.has(channel))).toEqual([]);
  expect(findRequests(COUNTS, returned)).toEqual([]);
  const [, clientId = '', roomId = ''] = behind.at(-1)?.split('.') ?? [];
  await user.visit(`/chat/${clientId}/${roomId}`);
  await room().message('News.').waitFor();
  await backend.write(CHANNEL, ['Back again.']);
  await user.visit(ROOM);
  await room().message('Back again.').waitFor();
});

test('when history answers again, every message is there once', async () => {
  scene.backend.proxy.heal();
  const texts = [...MISSED, ...MEANWHILE];
  expect(await scene.findEverywhere(texts)).toEqual(onceEach(texts));
});
