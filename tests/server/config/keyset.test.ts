import { expect, test } from 'vitest';

import { KEYS, mustParse, problemsOf, PUBLIC_KEYS } from './parse.ts';

test.each(['PUBNUB_PUBLISH_KEY', 'PUBNUB_SECRET_KEY', 'PUBNUB_ORIGIN', 'PUBNUB_OPEN_CHANNELS'])(
  '%s without a subscribe key is incomplete',
  (name) => {
    const problem = `PUBNUB_SUBSCRIBE_KEY is missing: ${name} requires it`;
    const value = name === 'PUBNUB_OPEN_CHANNELS' ? 'true' : 'demo';
    expect(problemsOf({ [name]: value })).toBe(problem);
  },
);

test('a subscribe key without a publish key is incomplete', () => {
  expect(problemsOf({ PUBNUB_SUBSCRIBE_KEY: 'sub-c-1', PUBNUB_SECRET_KEY: 'sec-c-1' })).toBe(
    'PUBNUB_PUBLISH_KEY is missing: PUBNUB_SUBSCRIBE_KEY requires it',
  );
});

test.each([{}, { PUBNUB_OPEN_CHANNELS: 'false' }])(
  'without a secret key every room is open, which needs consent: %j is not consent',
  (answer) => {
    const problems = problemsOf({ ...PUBLIC_KEYS, ...answer });
    expect(problems).toContain('PUBNUB_SECRET_KEY is missing');
    expect(problems).toContain('anyone who opens this address can read and write every room');
    expect(problems).toContain('PUBNUB_OPEN_CHANNELS=true');
  },
);

test.each([
  ['PUBNUB_SUBSCRIBE_KEY', 'sec-c-1'],
  ['PUBNUB_PUBLISH_KEY', 'sec-c-1'],
  ['PUBNUB_PUBLISH_KEY', '"sec-c-1"'],
  ['PUBNUB_SUBSCRIBE_KEY', 'pub-c-1'],
  ['PUBNUB_PUBLISH_KEY', 'sub-c-1'],
  ['PUBNUB_SECRET_KEY', 'sub-c-1'],
  ['PUBNUB_SECRET_KEY', 'pub-c-1'],
])('%s is not %s: that key belongs to another variable', (name, value) => {
  const problems = problemsOf({ ...KEYS, [name]: value });
  expect(problems).toMatch(new RegExp(`^${name} .*: expected a (subscribe|publish|secret) key`));
  // Every browser gets the two public keys, and the log must not get a secret one.
  expect(problems).not.toContain('sec-c-1');
});

test('consent opens the rooms', () => {
  const opened = { ...PUBLIC_KEYS, PUBNUB_OPEN_CHANNELS: 'true' };
  expect(mustParse(opened).hosted?.secretKey).toBeUndefined();
});

test('consent together with the secret key is a contradiction', () => {
  const problems = problemsOf({ ...KEYS, PUBNUB_OPEN_CHANNELS: 'true' });
  expect(problems).toContain('PUBNUB_OPEN_CHANNELS is "true": expected false');
});

const PLAIN = { ...KEYS, PUBNUB_SSL: 'false' };

test('plain http needs a custom origin', () => {
  expect(problemsOf(PLAIN)).toContain('PUBNUB_SSL=false requires PUBNUB_ORIGIN');
  expect(problemsOf({ ...PLAIN, PUBNUB_ORIGIN: 'rt.example.com' })).toBe('');
});

test('a page over https may not use plain http to another machine', () => {
  const secure = { ...PLAIN, PUBLIC_URL: 'https://desk.example.com' };
  const problems = problemsOf({ ...secure, PUBNUB_ORIGIN: 'rt.example.com' });
  expect(problems).toContain('expected true with an https PUBLIC_URL');
  expect(problemsOf({ ...secure, PUBNUB_ORIGIN: 'localhost:9000/x' })).toBe('');
});

test('keys form a keyset, at the service’s own address by default', () => {
  expect(mustParse(KEYS).hosted).toEqual({
    subscribeKey: 'sub-c-1',
    publishKey: 'pub-c-1',
    secretKey: 'sec-c-1',
    origin: 'ps.pndsn.com',
    ssl: true,
  });
  const own = { ...KEYS, PUBNUB_ORIGIN: 'rt.example.com/a/' };
  const [secretKey, origin] = ['sec-c-1', 'rt.example.com/a'];
  expect(mustParse(own).hosted).toMatchObject({ secretKey, origin });
});
