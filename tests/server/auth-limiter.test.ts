import { expect, test } from 'vitest';

import { toAddressKey } from '#server/client-address.ts';
import { createSignInLimiter } from '#server/auth/sign-in-limiter.ts';
import { createRateLimiter } from '#server/rate-limiter.ts';

const PER_ACCOUNT = 10;
const PER_ADDRESS = 50;

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
