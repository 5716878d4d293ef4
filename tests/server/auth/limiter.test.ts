import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { ServerEnv } from '#server/http/answers.ts';
import { createCookies } from '#server/auth/cookies.ts';
import { createDeviceCookie } from '#server/auth/device-cookie.ts';
import { toAddressKey, toSiteKey } from '#server/http/client-address.ts';
import { createMemoryLimiter, type Limiter, takeFrom } from '#server/limiting/limiters.ts';
import { createSignInLimiter, type SignInLimiter } from '#server/limiting/sign-in-limiter.ts';
import { createLog } from '#server/kernel/log.ts';

const PER_ACCOUNT = 10;
const PER_ADDRESS = 50;
const PER_SITE = 500;
const PER_DEVICES = 50;
const SECRET = 'a secret of the tests, long enough to be one';
const DAY_MS = 24 * 3600 * 1000;

/** A new browser at an IPv4 address. */
const STRANGER = { account: 'a', site: undefined, device: undefined };

let limit: SignInLimiter;

beforeEach(() => {
  vi.useFakeTimers();
  limit = createSignInLimiter({
    createLimiter: createMemoryLimiter,
    secret: SECRET,
    log: createLog('silent'),
  });
});
afterEach(() => {
  vi.useRealTimers();
});

/** One wrong guess; returns the wait that is imposed instead, in ms. */
const fail = async (from: string, device?: string, account = 'a'): Promise<number> => {
  const address = toAddressKey(from);
  const attempt = await limit({ account, address, site: toSiteKey(address), device });
  if (!attempt.ok) return attempt.retryAfterMs;
  await attempt.settle('failed');
  return 0;
};

test('after ten failures every further delay doubles, up to 15 minutes', async () => {
  for (let i = 0; i < PER_ACCOUNT; i += 1) expect(await fail(`10.0.0.${i}`)).toBe(0);
  for (const seconds of [30, 60, 120, 240, 480, 900, 900]) {
    expect(await fail('10.0.1.1')).toBe(seconds * 1000);
    vi.advanceTimersByTime(seconds * 1000);
    expect(await fail('10.0.1.1')).toBe(0);
  }
  vi.advanceTimersByTime(DAY_MS);
  for (let i = 0; i < PER_ACCOUNT; i += 1) expect(await fail('10.0.1.1')).toBe(0);
});

test('other spellings of an address allow no further guesses', async () => {
  const spellings = [
    'ana@example.com',
    'ａｎａ@example.com',
    'ana＠example.com',
    'ＡＮＡ@EXAMPLE.COM',
    '𝐚𝐧𝐚@example.com',
    'a\u200Bn\u00ADa@example.com',
    'aná@example.com',
    'an\u0301\u0301a@example.com',
    'a\u0001na@exam\u007Fple.com',
  ];
  const guess = async (account: string, address: string): Promise<boolean> => {
    return (await fail(address, undefined, account)) === 0;
  };
  for (let i = 0; i < PER_ACCOUNT; i += 1) {
    expect(await guess(spellings[i % spellings.length] ?? '', `10.0.0.${i}`)).toBe(true);
  }
  for (const spelling of spellings) expect(await guess(spelling, '10.0.1.1')).toBe(false);
  expect(await guess('anna@example.com', '10.0.1.1')).toBe(true);
});

test.each([
  ['strasse@example.com', 'straße@example.com'],
  ['jorgen@example.com', 'JØRGEN@example.com'],
  ['laetitia@example.com', 'lætitia@example.com'],
])('%s and %s are one account', async (plain, other) => {
  for (let i = 0; i < PER_ACCOUNT; i += 1) await fail(`10.0.0.${i}`, undefined, plain);
  expect(await fail('10.0.1.1', undefined, other)).toBe(30_000);
});

test('a correct password after a delay resets the count', async () => {
  for (let i = 0; i < PER_ACCOUNT; i += 1) await fail(`10.0.0.${i}`);
  vi.advanceTimersByTime(30_000);
  const attempt = await limit({ ...STRANGER, address: '10.0.1.1' });
  expect(attempt.ok).toBe(true);
  if (attempt.ok) await attempt.settle('cleared');
  for (let i = 0; i < PER_ACCOUNT; i += 1) expect(await fail(`10.0.2.${i}`)).toBe(0);
});

test('attempts that could not be checked are not counted', async () => {
  for (let i = 0; i < PER_ADDRESS + 1; i += 1) {
    const attempt = await limit({ ...STRANGER, address: '10.0.0.1' });
    expect(attempt.ok).toBe(true);
    if (attempt.ok) await attempt.settle('passed');
  }
});

test('a known browser has a separate limit', async () => {
  for (let i = 0; i < PER_ACCOUNT; i += 1) expect(await fail('10.0.0.1', 'device')).toBe(0);
  expect(await fail('10.0.0.1', 'device')).toBe(30_000);
  expect(await fail('10.0.0.1', 'other device')).toBe(0);
  expect(await fail('10.0.0.1')).toBe(0);
});

test('all known browsers of an account have a common limit, which no success clears', async () => {
  const succeed = async (device: string): Promise<void> => {
    const attempt = await limit({ ...STRANGER, address: '10.0.0.1', device });
    if (attempt.ok) await attempt.settle('cleared');
  };
  for (let i = 0; i < PER_DEVICES; i += 1) {
    expect(await fail('10.0.0.1', `device ${i % 20}`)).toBe(0);
    await succeed(`device ${i % 20}`);
  }
  // From now on they count like browsers that are not known, whose limit is still whole.
  for (let i = 0; i < PER_ACCOUNT; i += 1) {
    expect(await fail(`10.0.1.${i}`, `device ${i}`)).toBe(0);
  }
  expect(await fail('10.0.2.1', 'another device')).toBe(30_000);
  expect(await fail('10.0.2.1')).toBe(30_000);
});

test('the networks of one IPv6 site have a common limit', async () => {
  const failIn = (site: string, network: number): Promise<number> =>
    fail(`2001:db8:${site}:${network.toString(16)}::1`, undefined, `${site}-${network}`);
  for (let i = 0; i < PER_SITE; i += 1) expect(await failIn('1', i)).toBe(0);
  expect(await failIn('1', PER_SITE)).toBe(30_000);
  expect(await failIn('2', 0)).toBe(0);
});

test('failures at 20,001 invented accounts from one IPv6 site do not reset the count of another account', async () => {
  for (let i = 0; i < PER_ACCOUNT; i += 1) await fail(`10.0.0.${i}`);
  for (let i = 0; i <= 20_000; i += 1) {
    await fail(`2001:db8:1:${(i % 450).toString(16)}::1`, undefined, `nobody-${i}`);
  }
  expect(await fail('10.0.1.1')).toBe(30_000);
});

test('failures at 20,001 invented accounts from as many sites do not reset the count of another account', async () => {
  for (let i = 0; i < PER_ACCOUNT - 1; i += 1) await fail(`10.0.0.${i}`);
  for (let i = 0; i <= 20_000; i += 1) {
    await fail(`2001:db8:${i.toString(16)}::1`, undefined, `nobody-${i}`);
  }
  expect(await fail('10.0.1.1')).toBe(0);
  expect(await fail('10.0.1.1')).toBe(30_000);
});

describe('the keys of a limiter', () => {
  const createLimiter = () => createMemoryLimiter({ name: 'test', points: 6, windowMs: 1000 }, 3);
  const count = async (limiter: Limiter, keys: readonly string[]): Promise<number> => {
    let points = 0;
    for (const key of keys) points = (await limiter.penalty(key)).consumedPoints;
    return points;
  };

  test('with many points are not displaced by new ones', async () => {
    const limiter = createLimiter();
    await count(limiter, ['old', 'old', 'old', 'a', 'b', 'c', 'd', 'e', 'f']);
    expect(await count(limiter, ['old'])).toBe(4);
  });

  test('with many points do not displace new ones', async () => {
    const limiter = createLimiter();
    const old = ['a', 'b', 'c', 'd'];
    await count(limiter, [...old, ...old, ...old]);
    expect(await count(limiter, ['new', 'newer', 'new'])).toBe(2);
  });
});

test('a limiter remembers only the most recently used keys, up to its limit', async () => {
  const limiter = createMemoryLimiter({ name: 'test', points: 1, windowMs: 1000 }, 3);
  for (const key of ['a', 'b', 'c', 'a', 'd']) await takeFrom(limiter, key);
  expect((await takeFrom(limiter, 'a')).ok).toBe(false);
  expect((await takeFrom(limiter, 'b')).ok).toBe(true);
});

test('a browser is known to the last five accounts, each for 90 days', async () => {
  let at = 1_700_000_000_000;
  const device = createDeviceCookie(SECRET, createCookies(true), () => at);
  const app = new Hono<ServerEnv>();
  app.post('/:account', (c) => {
    device.remember(c, c.req.param('account'));
    return c.text('');
  });
  let cookie = '';
  const signIn = async (account: string): Promise<string> => {
    const answer = await app.request(`/${account}`, { method: 'POST', headers: { cookie } });
    const [set = ''] = answer.headers.getSetCookie();
    cookie = set.split(';')[0] ?? '';
    return set;
  };
  const find = (account: string): string | undefined =>
    device.find(new Request('https://desk.example.com/', { headers: { cookie } }), account);
  vi.setSystemTime(at);
  expect(await signIn('a')).toMatch(
    /^__Host-replay-desk\.device=.*; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/,
  );
  const first = find('a');
  expect(first).toMatch(/^[\w-]{22}$/);
  for (const account of ['b', 'c', 'd', 'e']) await signIn(account);
  expect(find('a')).toBe(first);
  await signIn('f');
  expect(find('a')).toBeUndefined();
  expect(find('f')).toBeDefined();
  at += 90 * DAY_MS;
  expect(find('f')).toBeUndefined();
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

test.each([
  ['2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['0:0:0:0::/64', '0:0:0::/48'],
  ['127.0.0.1', undefined],
  ['unknown', undefined],
])('the site of %s is %s', (key, site) => {
  expect(toSiteKey(key)).toBe(site);
});
