import { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { createDeniedSessions, type DeniedSessions } from '#server/denied/denied-sessions.ts';
import { createSharedDeniedStore } from '#server/denied/shared-denials.ts';
import { createLog } from '#server/kernel/log.ts';
import { openSharedStore, type SharedStore } from '#server/shared/shared-store.ts';
import { startStoreServer, type StoreServer } from '#tests/support/services/store-server.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const SECRET = 'a secret of the tests, long enough';
const PREFIX = 'replay-desk:';

/** The ended sessions in the memory of one server. */
interface Instance {
  readonly shared: SharedStore;
  readonly denied: DeniedSessions;
}

let store: StoreServer;
let operator: Redis;
let instances: Instance[];

beforeEach(async () => {
  store = await startStoreServer();
  operator = new Redis(store.url, { protocol: 2 });
  operator.on('error', () => undefined);
  instances = [];
});
afterEach(async () => {
  for (const { shared, denied } of instances) {
    await denied.close();
    shared.close();
  }
  operator.disconnect();
  await store.dispose();
});

const startInstance = async (
  toShared: (shared: SharedStore) => SharedStore = (shared) => shared,
): Promise<Instance> => {
  const log = createLog('silent');
  const shared = openSharedStore(store.url, SECRET, log);
  const denials = createSharedDeniedStore(toShared(shared), Date.now, log);
  const instance = { shared, denied: createDeniedSessions(denials, { now: Date.now, log }) };
  instances.push(instance);
  await waitFor('the store', () => shared.isUp());
  return instance;
};

const until = (): number => Date.now() + 3600_000;

/** Checks with a new instance, which has only the store. */
const isRefusedElsewhere = async (sid: string): Promise<boolean> =>
  (await startInstance()).denied.check(sid);

test('the instances restore the sign-outs to a store that is emptied while they are connected', async () => {
  const one = await startInstance();
  await one.denied.add('sid-1', until());
  await operator.flushall();
  await waitFor('the sign-out to be back', async () => (await operator.dbsize()) > 2);
  expect(await isRefusedElsewhere('sid-1')).toBe(true);
});

test('sign-outs interrupted by a lost connection are restored with the next one', async () => {
  let calls = 0;
  let cutAt = Infinity;
  const one = await startInstance((shared) => ({
    ...shared,
    askAll: async (fill) => {
      calls += 1;
      if (calls !== cutAt) return shared.askAll(fill);
      await operator.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      throw new Error('Connection is closed.');
    },
  }));
  const sids = Array.from({ length: 12 }, (_, n) => `sid-${n}`);
  for (const sid of sids) await one.denied.add(sid, until());
  // In the middle of the twelve sign-outs.
  cutAt = calls + 7;
  await store.kill();
  await store.start();
  await waitFor('the connection to be cut', () => calls >= cutAt);
  const late = await startInstance();
  const checkAll = () => Promise.all(sids.map((sid) => late.denied.check(sid)));
  await waitFor('all to be given back', async () => (await checkAll()).every(Boolean));
  expect(await checkAll()).toEqual(sids.map(() => true));
});

test('sign-outs in a new list with lower ids are followed', async () => {
  const one = await startInstance();
  await one.denied.add('sid-1', until());
  const other = await startInstance();
  await waitFor('the other to follow', () => other.denied.has('sid-1'));
  // All in one step, like a store that lost everything and whose clock is behind.
  await operator
    .multi()
    .flushall()
    .xadd(`${PREFIX}denials`, '1-1', 'mark', 'later', 'until', until())
    .exec();
  await waitFor('the other to follow the new list', () => other.denied.hasMark('later'));
  expect(other.denied.has('sid-1')).toBe(true);
});
