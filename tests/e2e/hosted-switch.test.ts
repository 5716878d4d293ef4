import { expect, test } from 'vitest';

import { type FaultProxy, startFaultProxy } from '#tests/support/fault-proxy.ts';
import { startHostedEngine } from '#tests/support/hosted-scene.ts';
import { NETWORK_AWAY } from '#tests/support/page-problems.ts';
import { toRoomPage } from '#tests/support/page-room.ts';
import { startServer } from '#tests/support/server-process.ts';
import { createUser, PRODUCER } from '#tests/support/user.ts';

const ROOM = '/chat/c_001/producers';
const CHANNEL = 'chat.c_001.producers';
const AUTH_SECRET = 'a secret of the tests, long enough to be one';
const YEAR_MS = 365 * 86_400_000;

const toEnv = (proxy: FaultProxy) => ({ PUBLIC_URL: proxy.address, AUTH_SECRET });

test('a desk that knows the log of one engine reads the other one anew', async () => {
  const proxy = await startFaultProxy();
  const { endpoint, env } = await startHostedEngine();
  const embedded = await startServer(toEnv(proxy));
  const hosted = await startServer({ ...env, ...toEnv(proxy) });
  // Older than everything this browser comes to know of the room.
  endpoint.log.append(CHANNEL, 'app-7', { text: 'Said long ago.' }, Date.now() - YEAR_MS);
  proxy.aim(embedded.address);
  const user = await createUser({ address: proxy.address });
  user.problems.allow(NETWORK_AWAY);
  await user.visit('/login');
  await user.page().evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await user.signIn(PRODUCER, ROOM);
  const room = toRoomPage(user.page());
  await room.send('To the first engine.');
  await expect
    .poll(() => room.message('To the first engine.').getAttribute('data-state'))
    .toBe('sent');

  proxy.aim(hosted.address);
  await user.page().reload();
  // The page reloads once more by itself, for a shell that may reach the engine.
  await expect.poll(() => endpoint.asked.map(({ operation }) => operation)).toContain('poll');
  await room.send('To the second engine.');
  await expect.poll(() => endpoint.log.findIn(CHANNEL)).toHaveLength(2);
  await expect
    .poll(async () => (await room.readAll()).map(({ text }) => text).join())
    .toContain('Said long ago.');
  expect(await room.message('To the first engine.').count()).toBe(1);

  expect(user.problems.take()).toEqual([]);
  await user.dispose();
  await Promise.all([embedded.dispose(), hosted.dispose(), proxy.close(), endpoint.close()]);
});
