import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { type HostedScene, startHostedScene } from '#tests/support/scenes/hosted-scene.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { mute, portal, refuseWith, stall, swallow } from '#tests/support/pubnub/faults.ts';
import { createUser, PRODUCER, TEAM, type User } from '#tests/support/browser/user.ts';

const ROOM = '/chat/c_002/team';
const CHANNEL = 'chat.c_002.team';
/** Log lines of browsers and of the session client while an engine fails. */
const FAULT_NOISE = /net::ERR_|CLIENT_FETCH_ERROR|Failed to load resource|blocked by CORS policy/;

let scene: HostedScene;
let anna: User;
let ben: User;
let annasRoom: RoomPage;
let bensRoom: RoomPage;

beforeAll(async () => {
  scene = await startHostedScene();
  anna = await createUser(scene.server);
  ben = await createUser(scene.server);
  for (const user of [anna, ben]) user.problems.allow(FAULT_NOISE);
  await Promise.all([anna.signIn(PRODUCER, ROOM), ben.signIn(TEAM, ROOM)]);
  annasRoom = toRoomPage(anna.page());
  bensRoom = toRoomPage(ben.page());
  await annasRoom.send('hello');
  await bensRoom.message('hello').waitFor();
});
afterAll(async () => {
  await Promise.all([anna.dispose(), ben.dispose()]);
  await scene.dispose();
});
afterEach(() => {
  scene.endpoint.faults.heal();
  expect([...anna.problems.take(), ...ben.problems.take()]).toEqual([]);
});

const countIn = (text: string): number =>
  scene.readLog(CHANNEL).filter((line) => line === text).length;

const ONCE_EACH = { question: 1, answer: 1, shown: 1 };

/** Anna writes, Ben reads and answers; counts each message in the log and on the screen. */
const talk = async (round: string): Promise<typeof ONCE_EACH> => {
  await annasRoom.send(`question ${round}`);
  await bensRoom.message(`question ${round}`).waitFor();
  await bensRoom.send(`answer ${round}`);
  await annasRoom.message(`answer ${round}`).waitFor();
  const message = annasRoom.message(`question ${round}`);
  await expect.poll(() => message.getAttribute('data-state')).toBe('sent');
  return {
    question: countIn(`question ${round}`),
    answer: countIn(`answer ${round}`),
    shown: await message.count(),
  };
};

test('a message whose answer is lost is looked up in the history, not repeated', async () => {
  scene.endpoint.faults.break('publish', swallow, 1, CHANNEL);
  expect(await talk('after a lost answer')).toEqual(ONCE_EACH);
});

test('expired tokens are replaced', async () => {
  scene.endpoint.access.expireAll();
  expect(await talk('after the tokens expired')).toEqual(ONCE_EACH);
  scene.endpoint.access.revokeAll();
  expect(await talk('after the tokens were revoked')).toEqual(ONCE_EACH);
});

test('a restart of the engine loses nothing', async () => {
  await scene.endpoint.restart();
  expect(await talk('after a restart')).toEqual(ONCE_EACH);
});

test.each([
  ['a failing service', refuseWith(503)],
  ['a captive portal', portal()],
  ['answers that stall', stall],
  ['no answers', mute],
])('%s delays messages and loses none', async (what, fault) => {
  const { faults } = scene.endpoint;
  for (const operation of ['handshake', 'poll', 'publish', 'history', 'counts'] as const) {
    faults.break(operation, fault);
  }
  await scene.endpoint.restart();
  await annasRoom.send(`written during ${what}`);
  const message = annasRoom.message(`written during ${what}`);
  expect(await message.getAttribute('data-state')).not.toBe('failed');
  faults.heal();
  await bensRoom.message(`written during ${what}`).waitFor();
  expect(countIn(`written during ${what}`)).toBe(1);
  expect(await talk(`after ${what}`)).toEqual(ONCE_EACH);
});

test('a message that the engine refuses fails, and the next one is sent', async () => {
  const refusal = refuseWith(400, { message: 'Not this one.' });
  scene.endpoint.faults.break('publish', refusal, 1, CHANNEL);
  await annasRoom.send('refused');
  await annasRoom.send('the next one');
  await bensRoom.message('the next one').waitFor();
  const refused = annasRoom.message('refused');
  await expect.poll(() => refused.getAttribute('data-state')).toBe('failed');
  expect(countIn('refused')).toBe(0);
});
