import { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { checkStore } from '#server/doctor/check-store.ts';
import { startStoreServer, type StoreServer } from '#tests/support/services/store-server.ts';

let store: StoreServer;
let operator: Redis;
beforeEach(async () => {
  store = await startStoreServer();
  operator = new Redis(store.url, { protocol: 2 });
});
afterEach(async () => {
  operator.disconnect();
  await store.dispose();
});

const check = async (url = store.url): Promise<readonly string[]> =>
  (await checkStore(url)).map(({ state, text }) => `${state}: ${text}`);

test('a store that works leaves no key behind', async () => {
  expect(await check()).toEqual([
    expect.stringMatching(/^ok: redis:\S+ answers: sign-outs, sessions and limits are shared/),
  ]);
  expect(await operator.dbsize()).toBe(0);
});

test('a database that does not exist is a problem', async () => {
  expect(await check(`${store.url}/999`)).toEqual([
    expect.stringMatching(/^bad: .*DB index is out of range.*nobody can sign in without it/),
  ]);
});

test('a user who may not write the keys of Replay Desk is a problem', async () => {
  await operator.acl('SETUSER', 'desk', 'on', '>secret-word', '~another:*', '+@all');
  const answers = await check(store.url.replace('//', '//desk:secret-word@'));
  expect(answers).toEqual([expect.stringMatching(/^bad: .*(?:NOPERM|permission)/)]);
  expect(answers.join()).not.toContain('secret-word');
});

test('a store that forgets when it is full is noted', async () => {
  await operator.config('SET', 'maxmemory-policy', 'allkeys-lru');
  expect(await check()).toEqual([
    expect.stringMatching(/^ok: /),
    'note: its maxmemory-policy is allkeys-lru: set noeviction, or it forgets sign-outs when it is full',
  ]);
});
