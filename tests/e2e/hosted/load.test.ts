import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { type HostedScene, startHostedScene } from '#tests/support/scenes/hosted-scene.ts';
import { endNoLongDelay } from '#tests/support/page/long-delays.ts';
import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { toRoomPage } from '#tests/support/page/room.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';

const ROOM = '/chat/c_001/team';
const CHANNEL = 'chat.c_001.team';
const SDK = /\/assets\/pubnub-realtime-[\w-]+\.js$/;

let scene: HostedScene;
let embedded: ServerProcess;
const users: User[] = [];

beforeAll(async () => {
  scene = await startHostedScene();
  embedded = await startServer();
  scene.write(CHANNEL, [{ text: 'The first line.' }]);
});
afterAll(async () => {
  await scene.dispose();
  await embedded.dispose();
});
afterEach(async () => {
  for (const user of users.splice(0)) {
    const problems = user.problems.take();
    await user.dispose();
    expect(problems).toEqual([]);
  }
});

const enter = async (server: ServerProcess): Promise<User> => {
  const user = await createUser(server, 'whole');
  users.push(user);
  user.problems.allow(NETWORK_AWAY);
  await user.signIn(PRODUCER, ROOM);
  await toRoomPage(user.page()).region.locator('[data-message-id]').first().waitFor();
  return user;
};

/** Runs in the page: the times of the request for the SDK and of the first paint, ms. */
const readTimes = () => {
  const paint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity;
  const resources = performance.getEntriesByType('resource');
  const sdk = resources.find(({ name }) => name.includes('/assets/pubnub-'))?.startTime;
  return { paint, sdk };
};

/** Runs in the page: the files in the service worker's cache. */
const listCached = async (): Promise<readonly string[]> => {
  const caches = await Promise.all(
    (await globalThis.caches.keys()).map((key) => globalThis.caches.open(key)),
  );
  const requests = await Promise.all(caches.map((cache) => cache.keys()));
  return requests.flat().map(({ url }) => url);
};

test('a page of the embedded engine never loads the hosted one', async () => {
  const user = await enter(embedded);
  await toRoomPage(user.page()).send('Embedded.');
  await user.page().evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  expect(await user.page().evaluate(readTimes)).toMatchObject({ sdk: undefined });
  expect((await user.page().evaluate(listCached)).filter((url) => SDK.test(url))).toEqual([]);
});

test('a page of the hosted engine loads it after the first paint', async () => {
  const user = await enter(scene.server);
  // Without a paint it would be loaded after 3 s.
  await user.page().addInitScript(endNoLongDelay);
  await user.page().reload();
  await toRoomPage(user.page()).message('The first line.').waitFor();
  await expect.poll(async () => (await user.page().evaluate(readTimes)).sdk).toBeDefined();
  const { paint, sdk = 0 } = await user.page().evaluate(readTimes);
  expect(sdk).toBeGreaterThan(paint);
});

test('an offline start needs no engine', async () => {
  const user = await enter(scene.server);
  await user.page().evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await user.closeBrowser();
  await user.openBrowser({ offline: true });
  await user.visit(ROOM);
  const room = toRoomPage(user.page());
  await room.message('The first line.').waitFor();
  await room.send('Written on the train.');
  await user.goOnline();
  await expect
    .poll(() => scene.readLog(CHANNEL).filter((text) => text === 'Written on the train.'))
    .toHaveLength(1);
});
