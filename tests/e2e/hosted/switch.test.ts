import { expect, test } from 'vitest';

import { type FaultProxy, startFaultProxy } from '#tests/support/services/fault-proxy.ts';
import { startHostedEngine } from '#tests/support/scenes/hosted-scene.ts';
import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { toRoomPage } from '#tests/support/page/room.ts';
import type { PubnubEndpoint } from '#tests/support/pubnub/endpoint.ts';
import { startServer } from '#tests/support/process/server-process.ts';
import { createUser, PRODUCER } from '#tests/support/browser/user.ts';

const ROOM = '/chat/c_001/producers';
const CHANNEL = 'chat.c_001.producers';
const AUTH_SECRET = 'a secret of the tests, long enough to be one';
const YEAR_MS = 365 * 86_400_000;

const toEnv = (proxy: FaultProxy) => ({ PUBLIC_URL: proxy.address, AUTH_SECRET });

/** A page that was used with one engine, and the other engine that will replace it. */
const openOn = async (first: 'embedded' | 'hosted') => {
  const proxy = await startFaultProxy();
  const { endpoint, env } = await startHostedEngine();
  const servers = {
    embedded: await startServer(toEnv(proxy)),
    hosted: await startServer({ ...env, ...toEnv(proxy) }),
  };
  // Older than all messages of the room in this browser.
  endpoint.log.append(CHANNEL, 'app-7', { text: 'Said long ago.' }, Date.now() - YEAR_MS);
  proxy.aim(servers[first].address);
  const user = await createUser({ address: proxy.address });
  user.problems.allow(NETWORK_AWAY);
  await user.signIn(PRODUCER, ROOM);
  const room = toRoomPage(user.page());
  await room.send('To the first engine.');
  const sent = room.message('To the first engine.');
  await expect.poll(() => sent.getAttribute('data-state')).toBe('sent');
  const dispose = async (): Promise<void> => {
    expect(user.problems.take()).toEqual([]);
    await user.dispose();
    await Promise.all(Object.values(servers).map((server) => server.dispose()));
    await Promise.all([proxy.close(), endpoint.close()]);
  };
  /** The service changes to the other engine. */
  const change = async (): Promise<void> => {
    proxy.aim(servers[first === 'hosted' ? 'embedded' : 'hosted'].address);
    await servers[first].stop();
  };
  return { endpoint, change, user, room, dispose };
};

const operationsOf = ({ asked }: PubnubEndpoint): readonly string[] =>
  asked.map(({ operation }) => operation);

test('a page with the log of one engine reads the other engine’s log from the start', async () => {
  const { endpoint, change, user, room, dispose } = await openOn('embedded');
  await user.page().goto('about:blank');
  await change();
  await user.visit(ROOM);
  // The page reloads once more by itself, for a shell that permits the engine.
  await expect.poll(() => operationsOf(endpoint)).toContain('poll');
  await room.send('To the second engine.');
  await expect.poll(() => endpoint.log.findIn(CHANNEL)).toHaveLength(2);
  await expect
    .poll(async () => (await room.readAll()).map(({ text }) => text).join())
    .toContain('Said long ago.');
  await expect.poll(() => room.message('To the first engine.').count()).toBe(1);
  await dispose();
});

test('a page that is open when the hosted engine is set up follows, with its drafts', async () => {
  const { endpoint, change, user, room, dispose } = await openOn('embedded');
  user.problems.allow(/40[034]/);
  await room.composer.fill('Begun before the change.');
  await change();
  await expect.poll(() => operationsOf(endpoint)).toContain('poll');
  await expect.poll(() => room.composer.inputValue()).toBe('Begun before the change.');
  await room.composer.press('Enter');
  await expect.poll(() => endpoint.log.findIn(CHANNEL)).toHaveLength(2);
  await dispose();
});

test('a page that is open when the hosted engine is removed follows when its token ends', async () => {
  const { endpoint, change, user, room, dispose } = await openOn('hosted');
  user.problems.allow(/40[034]/);
  await room.composer.fill('Begun before the change.');
  const isEmbedded = user.page().waitForResponse(/\/api\/realtime\/stream/);
  await change();
  endpoint.access.expireAll();
  // The pending poll would still be answered.
  await endpoint.restart();
  await isEmbedded;
  // If the page has reloaded, its drafts are restored beside the start.
  await expect.poll(() => room.composer.inputValue()).toBe('Begun before the change.');
  await room.composer.press('Enter');
  const state = () => room.message('Begun before the change.').getAttribute('data-state');
  await expect.poll(state).toBe('sent');
  expect(endpoint.log.findIn(CHANNEL)).toHaveLength(2);
  await dispose();
});
