import { afterEach, beforeEach, expect, test } from 'vitest';

import { toAddressKey } from '#server/client-address.ts';
import { createSignInLimiter } from '#server/auth/sign-in-limiter.ts';
import { createRateLimiter } from '#server/rate-limiter.ts';
import { createCookieClient } from '#tests/support/web-client.ts';
import { startWebServer, type WebServer } from '#tests/support/web-server.ts';

const PER_ACCOUNT = 10;
const PER_ADDRESS = 50;

let server: WebServer;
beforeEach(async () => {
  server = await startWebServer();
});
afterEach(() => server.dispose());

const fail = async (email: string, times: number): Promise<readonly number[]> => {
  const client = createCookieClient(server.port);
  const statuses: number[] = [];
  for (let i = 0; i < times; i += 1) statuses.push((await client.signIn(email, 'wrong')).status);
  return statuses;
};

test('an account is closed after ten failures, to the right password too', async () => {
  expect(new Set(await fail('producer@example.com', PER_ACCOUNT))).toEqual(new Set([401]));
  const client = createCookieClient(server.port);
  const answer = await client.signIn('PRODUCER@example.com');
  expect(answer.status).toBe(429);
  const seconds = Number(answer.headers['retry-after']);
  expect(seconds).toBeGreaterThan(800);
  expect(seconds).toBeLessThanOrEqual(900);
  const url = new URL(String(answer.json()['url']));
  expect(url.searchParams.get('error')).toBe('TooManyAttempts');
  expect((await client.send('/api/auth/session')).json()).toEqual({});
  expect((await client.signIn('team@example.com', 'teammate')).status).toBe(200);
});

test('unknown accounts are closed alike', async () => {
  await fail('nobody@example.com', PER_ACCOUNT);
  expect(await fail('nobody@example.com', 1)).toEqual([429]);
});

test('a burst at once gets no further than one by one', async () => {
  const attempts = Array.from({ length: 25 }, () =>
    createCookieClient(server.port).signIn('team@example.com', 'wrong'),
  );
  const statuses = (await Promise.all(attempts)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(PER_ACCOUNT);
  expect(statuses.filter((status) => status === 429)).toHaveLength(25 - PER_ACCOUNT);
});

test('an address is closed after fifty failures over all accounts', async () => {
  const attempts = Array.from({ length: PER_ADDRESS + 5 }, (_, i) =>
    createCookieClient(server.port).signIn(`nobody-${i}@example.com`, 'wrong'),
  );
  const statuses = (await Promise.all(attempts)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(PER_ADDRESS);
  expect((await createCookieClient(server.port).signIn()).status).toBe(429);
});

test('successes are not limited and clear the account', async () => {
  for (let round = 0; round < 3; round += 1) {
    expect(new Set(await fail('producer@example.com', PER_ACCOUNT - 1))).toEqual(new Set([401]));
    expect((await createCookieClient(server.port).signIn()).status).toBe(200);
  }
  for (let i = 0; i < PER_ACCOUNT + 5; i += 1) {
    expect((await createCookieClient(server.port).signIn()).status).toBe(200);
  }
});

test('a burst of right passwords all pass', async () => {
  const attempts = Array.from({ length: PER_ADDRESS + 10 }, () =>
    createCookieClient(server.port).signIn(),
  );
  const statuses = (await Promise.all(attempts)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test('a limited account opens again after the window', async () => {
  let at = 0;
  const limit = createSignInLimiter(() => at);
  for (let i = 0; i < PER_ACCOUNT; i += 1) {
    const attempt = await limit('a', `10.0.0.${i}`);
    expect(attempt.ok).toBe(true);
    if (attempt.ok) attempt.failed();
  }
  expect(await limit('a', '10.0.1.1')).toEqual({ ok: false, retryAfterMs: 900_000 });
  at = 900_000;
  expect((await limit('a', '10.0.1.1')).ok).toBe(true);
});

test('attempts that nobody could decide count for nothing', async () => {
  const limit = createSignInLimiter(() => 0);
  for (let i = 0; i < PER_ADDRESS + 1; i += 1) {
    const attempt = await limit('a', '10.0.0.1');
    expect(attempt.ok).toBe(true);
    if (attempt.ok) attempt.undecided();
  }
});

test('a limiter remembers no more keys than it may, the latest used ones', () => {
  const take = createRateLimiter({ limit: 1, windowMs: 1000, keysMax: 3 }, () => 0);
  for (const key of ['a', 'b', 'c', 'a', 'd']) take(key);
  expect(take('a').ok).toBe(false);
  expect(take('b').ok).toBe(true);
});

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['nonsense', 'unknown'],
])('the key of %s is %s', (address, key) => {
  expect(toAddressKey(address)).toBe(key);
});

test('behind https the address is the last one the proxy in front stated', async () => {
  const https = await startWebServer({ PUBLIC_URL: 'https://desk.example.com' });
  const signIn = async (forwarded: string, i: number) => {
    const client = createCookieClient(https.port);
    const fields = { email: `nobody-${i}@example.com`, password: 'wrong' };
    const headers = { 'x-forwarded-for': forwarded };
    return (await client.post('/api/auth/callback/credentials', fields, headers)).status;
  };
  const statuses = await Promise.all(
    Array.from({ length: PER_ADDRESS + 1 }, (_, i) => signIn(`10.9.9.${i}, 203.0.113.7`, i)),
  );
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  expect(await signIn('203.0.113.8', 999)).toBe(401);
  await https.dispose();
});

test('on loopback http a claimed X-Forwarded-For counts for nothing', async () => {
  const attempts = Array.from({ length: PER_ADDRESS + 1 }, (_, i) =>
    createCookieClient(server.port).post(
      '/api/auth/callback/credentials',
      { email: `nobody-${i}@example.com`, password: 'wrong' },
      { 'x-forwarded-for': `10.0.0.${i}` },
    ),
  );
  const statuses = (await Promise.all(attempts)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
});
