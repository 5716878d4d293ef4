import { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { createDeniedSessions } from '#server/denied/denied-sessions.ts';
import { createSharedDeniedStore } from '#server/denied/shared-denials.ts';
import { createLog } from '#server/kernel/log.ts';
import { openSharedStore } from '#server/shared/shared-store.ts';
import { type Balancer, startBalancer } from '#tests/support/services/balancer.ts';
import { type HostedServer, startHostedServer } from '#tests/support/scenes/hosted-server.ts';
import { endSession, listSessions } from '#tests/support/server/sessions-client.ts';
import { startStoreServer, type StoreServer } from '#tests/support/services/store-server.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import {
  type Answer,
  type CookieClient,
  createCookieClient,
} from '#tests/support/server/web-client.ts';
import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';

const TEAMS = '/api/proxy/staff/teams';
const SESSION = 'replay-desk.session';

let store: StoreServer;
let backend: HostedServer;
let balancer: Balancer;
let instances: WebServer[];

const toSettings = () =>
  backend.toSettings({ SHARED_STORE_URL: store.url, PUBLIC_URL: balancer.address });

beforeEach(async () => {
  store = await startStoreServer();
  backend = await startHostedServer();
  balancer = await startBalancer();
  instances = [await startWebServer(toSettings()), await startWebServer(toSettings())];
  balancer.aim(instances.map(({ port }) => `http://127.0.0.1:${port}`));
  await waitFor('both to reach the store', async () => {
    const client = createCookieClient(balancer.port);
    const statuses = [await client.signIn('a@b.c', ''), await client.signIn('a@b.c', '')];
    return statuses.every(({ status }) => status === 401);
  });
});
afterEach(async () => {
  for (const instance of instances) await instance.dispose();
  await balancer.close();
  await backend.dispose();
  await store.dispose();
});

const copyOf = (client: CookieClient, port = balancer.port): CookieClient => {
  const copy = createCookieClient(port);
  for (const [name, value] of client.cookies) copy.cookies.set(name, value);
  return copy;
};

const readTeams = async (client: CookieClient): Promise<number> =>
  (await client.send(TEAMS)).status;

const attempt = (): Promise<Answer> =>
  createCookieClient(balancer.port).signIn('ana@example.com', 'x');

const signInAgain = async (): Promise<void> => {
  await waitFor('somebody to sign in again', async () => {
    const client = createCookieClient(balancer.port);
    // One attempt per instance: both have to be back.
    const answers = [
      await client.signIn('ana@example.com', ''),
      await client.signIn('ana@example.com', ''),
    ];
    return answers.every(({ status }) => status === 401);
  });
};

test('a sign-out on one instance takes effect on the other with the next request', async () => {
  const client = await backend.signIn(instances[0]?.port);
  const copies = instances.map(({ port }) => copyOf(client, port));
  for (const copy of copies) expect(await readTeams(copy)).toBe(200);
  await client.post('/api/auth/signout');
  for (const copy of copies) expect(await readTeams(copy)).toBe(401);
});

test('a session ended in the list of one instance is over on all', async () => {
  const client = await backend.signIn(balancer.port);
  const other = await backend.signIn(balancer.port);
  const sessions = await listSessions(client);
  expect(sessions).toHaveLength(2);
  const { handle = '' } = sessions.find(({ current }) => !current) ?? {};
  expect((await endSession(client, `/${handle}`)).json()).toEqual({ ended: 1 });
  for (const { port } of instances) expect(await readTeams(copyOf(other, port))).toBe(401);
  expect(await readTeams(client)).toBe(200);
  await backend.signIn(balancer.port);
  expect((await endSession(client, '?others')).json()).toEqual({ ended: 1 });
  expect(await listSessions(client)).toHaveLength(1);
});

test('wrong guesses are counted across all instances', async () => {
  backend.api.answer = (_incoming, outgoing) => void outgoing.writeHead(401).end();
  const statuses: number[] = [];
  for (let n = 0; n < 12; n += 1) {
    const { status } = await createCookieClient(balancer.port).signIn('eva@example.com', `no ${n}`);
    statuses.push(status);
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
});

test('while the store is down nobody signs in, open sessions continue, and it recovers by itself', async () => {
  const leaving = await backend.signIn(balancer.port);
  const copy = copyOf(leaving);
  const staying = await backend.signIn(balancer.port);
  // An instance that was used before it had reached the store has already reported that.
  const reported = new Map(instances.map((instance) => [instance, instance.log().length]));
  await store.kill();
  for (let n = 0; n < 4; n += 1) {
    const refused = await attempt();
    expect([refused.status, refused.json()['error']]).toEqual([
      503,
      "Sign-in isn't available right now. Try again in a minute.",
    ]);
    expect(String(refused.json()['url'])).toContain('error=SignInUnavailable');
    expect(await readTeams(staying)).toBe(200);
  }
  expect((await staying.send('/api/sessions')).status).toBe(503);
  const left = await leaving.post('/api/auth/signout');
  expect(left.status).toBe(200);
  expect(leaving.cookies.has(SESSION)).toBe(false);
  await store.start();
  await signInAgain();
  await waitFor('the sign-out to be delivered', async () => {
    const statuses = [await readTeams(copy), await readTeams(copy)];
    return statuses.every((status) => status === 401);
  });
  expect(await readTeams(staying)).toBe(200);
  const countLines = (instance: WebServer, text: string): number =>
    instance.log().slice(reported.get(instance)).split(text).length - 1;
  for (const instance of instances) {
    // Each instance separately: the balancer may have sent all attempts to one.
    expect((await createCookieClient(instance.port).signIn('ana@example.com', '')).status).toBe(
      401,
    );
    expect(countLines(instance, 'the shared store is down')).toBe(1);
    expect(countLines(instance, 'the shared store is back')).toBe(1);
    expect(countLines(instance, 'sign-ins cannot be limited')).toBe(1);
    expect(countLines(instance, 'sign-ins can be limited again')).toBe(1);
  }
});

test('each instance receives the denials of others, and reports them by session id', async () => {
  const log = createLog('silent');
  const sides = ['one', 'other'].map(() => {
    const shared = openSharedStore(store.url, 'a secret of the tests, long enough', log);
    const denials = createSharedDeniedStore(shared, Date.now, log);
    return { shared, denied: createDeniedSessions(denials, { now: Date.now, log }) };
  });
  const [one, other] = sides;
  if (one === undefined || other === undefined) throw new Error('two sides are needed');
  await waitFor('the store', () => one.shared.isUp() && other.shared.isUp());
  const reported: string[] = [];
  other.denied.onAdded((sid) => reported.push(sid));
  expect(await other.denied.check('sid-1')).toBe(false);
  await one.denied.add('sid-1', Date.now() + 60_000);
  await waitFor('the other to follow', () => other.denied.has('sid-1'));
  expect(reported).toEqual(['sid-1']);
  for (const { shared, denied } of sides) {
    await denied.close();
    shared.close();
  }
});

test('the instances restore the sign-outs to a store that lost everything', async () => {
  const client = await backend.signIn(balancer.port);
  const copy = copyOf(client);
  await client.post('/api/auth/signout');
  await store.kill();
  await store.start();
  await signInAgain();
  const late = await startWebServer(toSettings());
  instances.push(late);
  await waitFor('a new instance to refuse the copy', async () => {
    return (await readTeams(copyOf(copy, late.port))) === 401;
  });
  expect(await readTeams(copyOf(client, late.port))).toBe(401);
});

test('a hanging store blocks no request', async () => {
  const client = await backend.signIn(balancer.port);
  const leaving = await backend.signIn(balancer.port);
  store.freeze();
  const refused = await attempt();
  expect(refused.status).toBe(503);
  expect(await readTeams(client)).toBe(200);
  expect((await leaving.post('/api/auth/signout')).status).toBe(200);
  expect(leaving.cookies.has(SESSION)).toBe(false);
  store.thaw();
  await signInAgain();
});

test('an instance starts without the store, and accepts sign-ins once it is available', async () => {
  await store.kill();
  const late = await startWebServer(toSettings());
  instances.push(late);
  expect((await createCookieClient(late.port).signIn('a@b.c', 'x')).status).toBe(503);
  await store.start();
  await waitFor('a sign-in', async () => {
    return (await createCookieClient(late.port).signIn('a@b.c', '')).status === 401;
  });
});

test('the shared store contains no address, name, session id or password in plaintext', async () => {
  const client = await backend.signIn(balancer.port);
  await client.post('/api/auth/signout');
  await backend.signIn(balancer.port);
  const redis = new Redis(store.url, { protocol: 2 });
  const keys = await redis.keys('*');
  const texts: string[] = [...keys];
  const endless: string[] = [];
  for (const key of keys) {
    const type = await redis.type(key);
    if (type === 'hash') texts.push(JSON.stringify(await redis.hgetall(key)));
    if (type === 'stream') texts.push(JSON.stringify(await redis.xrange(key, '-', '+')));
    if (type === 'string') texts.push((await redis.get(key)) ?? '');
    if (type !== 'stream' && (await redis.pttl(key)) <= 0) endless.push(key);
  }
  redis.disconnect();
  expect(endless).toEqual([]);
  expect(keys.every((key) => key.startsWith('replay-desk:'))).toBe(true);
  expect(keys.length).toBeGreaterThan(3);
  for (const secret of ['ana@example.com', 'u_ana', 'Ana', '127.0.0.1', 'secret', 'upstream-1']) {
    expect(texts.join('\n')).not.toContain(secret);
  }
  for (const instance of instances) expect(instance.log()).not.toContain(store.url);
});
