import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { type InstancesScene, startInstancesScene } from '#tests/support/scenes/instances-scene.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { refuseWith } from '#tests/support/pubnub/faults.ts';
import { toShellPage } from '#tests/support/page/shell.ts';
import { createUser, type User } from '#tests/support/browser/user.ts';

const ROOM = '/chat/c_001/team';
const CHANNEL = 'chat.c_001.team';
const SERVICE_DOWN =
  /^Reconnecting A service that Replay Desk depends on is unavailable\. Trying again in \d+ s\.$/;

let scene: InstancesScene;
let anna: User;
let ben: User;
let annasRoom: RoomPage;
let bensRoom: RoomPage;

beforeAll(async () => {
  scene = await startInstancesScene();
  anna = await createUser(scene.balancer);
  ben = await createUser(scene.balancer);
  await scene.signIn(anna, 'anna@example.com', ROOM);
  await scene.signIn(ben, 'ben@example.com', ROOM);
  annasRoom = toRoomPage(anna.page());
  bensRoom = toRoomPage(ben.page());
});
afterAll(async () => {
  await Promise.all([anna.dispose(), ben.dispose()]);
  await scene.dispose();
});
afterEach(() => {
  expect([...anna.problems.take(), ...ben.problems.take()]).toEqual([]);
});

const countAnswered = (index: number): number =>
  scene.balancer.answered.get(scene.instances[index]?.address ?? '') ?? 0;

const readLog = (): readonly string[] =>
  scene.endpoint.log
    .findIn(CHANNEL)
    .map(({ message }) => (message as { readonly text: string }).text);

test('requests that alternate between two servers work as with one server', async () => {
  await annasRoom.send('Who is on the desk tonight?');
  await bensRoom.message('Who is on the desk tonight?').waitFor();
  await anna.page().reload();
  await annasRoom.message('Who is on the desk tonight?').waitFor();
  await bensRoom.send('I am.');
  await annasRoom.message('I am.').waitFor();
  const { connection } = toShellPage(anna.page());
  await expect.poll(() => connection.innerText()).toMatch(/^(?:Online)?$/);
  expect(countAnswered(0)).toBeGreaterThan(10);
  expect(countAnswered(1)).toBeGreaterThan(10);
});

test('killing a server while both write loses nothing and sends nothing twice', async () => {
  // The engine's answer to expired tokens.
  for (const user of [anna, ben]) user.problems.allow(/status of 403/);
  const toTexts = (name: string) => Array.from({ length: 20 }, (_, n) => `${name} ${n}.`);
  const [fromAnna, fromBen] = [toTexts('anna'), toTexts('ben')];
  const sendAll = async (
    room: RoomPage,
    texts: readonly string[],
    halfway: () => Promise<void>,
  ) => {
    for (const [n, text] of texts.entries()) {
      if (n === texts.length / 2) await halfway();
      await room.send(text);
    }
  };
  await Promise.all([
    sendAll(annasRoom, fromAnna, async () => {
      await scene.instances[0]?.kill();
      // Later tokens come from the remaining server.
      scene.endpoint.access.expireAll();
    }),
    sendAll(bensRoom, fromBen, async () => {
      await ben.page().reload();
    }),
  ]);
  const all = [...fromAnna, ...fromBen].toSorted();
  const isOurs = (text: string): boolean => /^(?:anna|ben) \d+\.$/.test(text);
  await expect.poll(() => readLog().filter(isOurs).toSorted()).toEqual(all);
  for (const texts of [fromAnna, fromBen]) {
    expect(readLog().filter((text) => texts.includes(text))).toEqual(texts);
  }
  for (const room of [annasRoom, bensRoom]) {
    const read = async () =>
      (await room.readAll())
        .flatMap(({ text }) => text.match(/(?:anna|ben) \d+\./) ?? [])
        .toSorted();
    await expect.poll(read).toEqual(all);
  }
  expect(scene.balancer.countLost()).toBe(0);
});

test('sessions survive, and the restarted server takes requests again', async () => {
  await scene.instances[0]?.start();
  const before = countAnswered(0);
  await Promise.all([anna.page().reload(), ben.page().reload()]);
  await annasRoom.send('Still here?');
  await bensRoom.message('Still here?').waitFor();
  expect(countAnswered(0)).toBeGreaterThan(before);
});

test('a product API that is down is not reported as a server that is down', async () => {
  for (const user of [anna, ben]) user.problems.allow(/status of 50[24]|CLIENT_FETCH_ERROR/);
  // The servers bridge an outage from memory, so they are restarted.
  await Promise.all(scene.instances.map((instance) => instance.kill()));
  await Promise.all(scene.instances.map((instance) => instance.start()));
  scene.stopProductApi(true);
  await anna.page().reload();
  await annasRoom.message('Still here?').waitFor();
  const line = toShellPage(anna.page()).connection;
  await line.filter({ hasText: SERVICE_DOWN }).waitFor();
  await annasRoom.send('Written during the outage.');
  scene.stopProductApi(false);
  await expect.poll(readLog).toContain('Written during the outage.');
  await expect.poll(() => line.innerText()).toMatch(/^(?:Online)?$/);
});

test('a session that the product API ended asks for a sign-in, and then sends the outbox', async () => {
  for (const user of [anna, ben]) user.problems.allow(/status of (?:40[13]|503)/);
  // Accepted before the page is notified of the end, and not sent by then.
  scene.endpoint.faults.break('publish', refuseWith(503));
  await annasRoom.send('Will this wait?');
  scene.honourUpstreamTokens(false);
  scene.endpoint.access.expireAll();
  scene.endpoint.faults.heal();
  await anna.page().waitForURL((url) => url.pathname === '/login');
  expect(readLog()).not.toContain('Will this wait?');
  scene.honourUpstreamTokens(true);
  await scene.signIn(anna, 'anna@example.com', ROOM);
  await expect.poll(readLog).toContain('Will this wait?');
});
