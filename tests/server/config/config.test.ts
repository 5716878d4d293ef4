import { resolve } from 'node:path';

import { describe, expect, test } from 'vitest';

import { KEYS, mustParse, problemsOf } from './parse.ts';

test('no variable is required', () => {
  expect(mustParse({})).toEqual({
    port: 4600,
    host: '127.0.0.1',
    publicUrl: undefined,
    dataDir: resolve('.data'),
    authSecret: undefined,
    demo: undefined,
    apiBaseUrl: undefined,
    channelTemplate: 'chat.{cid}.{rid}',
    sessionMaxAgeMs: 2_592_000_000,
    sessionPollSeconds: 0,
    signOutDir: undefined,
    logLevel: 'info',
  });
});

test('empty values count as not set, and surrounding blanks are ignored', () => {
  expect(mustParse({ PORT: '', API_BASE_URL: '  ', HOST: ' ::1 ' })).toMatchObject({
    port: 4600,
    apiBaseUrl: undefined,
    host: '::1',
  });
});

test('addresses are normalized', () => {
  const config = mustParse({
    PUBLIC_URL: 'https://Desk.Example.com:443/',
    API_BASE_URL: 'https://api.example.com/v1//',
    AUTH_SECRET: 'x'.repeat(32),
  });
  expect(config.publicUrl).toBe('https://desk.example.com');
  expect(config.apiBaseUrl).toBe('https://api.example.com/v1');
});

test('each room may have a description or none', () => {
  const described = { team: 'Only staff read this', general: 'Ana’s client – “reads” this 👀' };
  const config = mustParse({ ROOM_DESCRIPTIONS: JSON.stringify(described) });
  expect(config.roomDescriptions).toEqual(described);
  expect(problemsOf({ ROOM_DESCRIPTIONS: `{"team":"${'x'.repeat(81)}"}` })).toContain('80');
});

describe('an invalid value is reported with the expected one and an example', () => {
  test.each([
    ['PORT', 'abc'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '1e3'],
    ['HOST', 'a b'],
    ['PUBLIC_URL', 'desk.example.com'],
    ['PUBLIC_URL', 'https://desk.example.com/path'],
    ['PUBLIC_URL', 'http://desk.example.com'],
    ['PUBLIC_URL', 'ftp://localhost'],
    ['DEMO', 'yes'],
    ['API_BASE_URL', '/v1'],
    ['API_BASE_URL', 'https://api.example.com/?x=1'],
    ['API_BASE_URL', 'https://api.example.com/v1?'],
    ['API_BASE_URL', 'https://api.example.com/v1#'],
    ['CHANNEL_TEMPLATE', 'chat.{cid}'],
    ['CHANNEL_TEMPLATE', 'chat {cid} {rid}'],
    ['SESSION_MAX_AGE', '0'],
    ['SESSION_MAX_AGE', '30d'],
    ['LOG_LEVEL', 'verbose'],
    ['ROOM_DESCRIPTIONS', 'Your client reads this'],
    ['ROOM_DESCRIPTIONS', '{"lobby":"Your client reads this"}'],
    ['ROOM_DESCRIPTIONS', '{"team":" "}'],
    ['ROOM_DESCRIPTIONS', '{"team":"two\\nlines"}'],
    ['PUBNUB_ORIGIN', 'https://ps.pndsn.com'],
    ['PUBNUB_ORIGIN', 'ps.pndsn.com:99999'],
    ['PUBNUB_ORIGIN', 'ps.pndsn.com/?x'],
    ['PUBNUB_SSL', '1'],
  ])('%s=%s', (name, value) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toContain(`${name} is ${JSON.stringify(value)}: expected `);
    expect(problems).toContain(`for example ${name}=`);
  });

  test('without repeating a secret', () => {
    const problems = problemsOf({ AUTH_SECRET: 'too-short-a-secret' });
    expect(problems).toContain('AUTH_SECRET has an invalid value: expected at least 32 bytes');
    expect(problems).not.toContain('too-short-a-secret');
  });

  test.each([
    ['PUBLIC_URL', 'https://svc:hunter2@desk.example.com', 'https://…@desk.example.com'],
    ['API_BASE_URL', 'https://svc:hunter2@api.example.com', 'https://…@api.example.com'],
    ['PUBNUB_ORIGIN', 'hunter2@ps.pndsn.com', '…@ps.pndsn.com'],
  ])('without repeating a password in %s', (name, value, shown) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toContain(`${name} is "${shown}": expected `);
    expect(problems).not.toContain('hunter2');
  });

  test('together with all others', () => {
    expect(problemsOf({ PORT: 'x', DEMO: 'x' }).split('\n')).toHaveLength(2);
  });
});

describe('without an https PUBLIC_URL, HOST is an address that this machine opens as localhost', () => {
  test.each([
    'localhost',
    'LOCALHOST',
    '127.0.0.1',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
    '0.0.0.0',
    '::',
  ])('such as %s', (host) => expect(problemsOf({ HOST: host })).toBe(''));

  test.each(['192.168.1.5', '127.0.0.2', 'desk.local', '2001:db8::1'])('but not %s', (host) => {
    const problem = `PUBLIC_URL is missing: nobody can sign in at HOST=${host}. Set it to the https address that browsers use`;
    expect(problemsOf({ HOST: host })).toBe(problem);
    for (const url of ['http://localhost:4600', 'http://127.0.0.1', 'http://[::1]:8080']) {
      const nowhere = `PUBLIC_URL is "${url}": it is not reachable there with HOST=${host}. Set it to the https address that browsers use`;
      expect(problemsOf({ HOST: host, PUBLIC_URL: url })).toBe(nowhere);
    }
    expect(problemsOf({ HOST: host, PUBLIC_URL: 'https://desk.example.com' })).toBe('');
  });
});

describe('an unknown variable', () => {
  test.each([
    ['AUTH_SECRETS', 'AUTH_SECRET'],
    ['API_BASE_URI', 'API_BASE_URL'],
    ['PUBLIC_URI', 'PUBLIC_URL'],
    ['CHANEL_TEMPLATE', 'CHANNEL_TEMPLATE'],
    ['SESSION_MAXAGE', 'SESSION_MAX_AGE'],
    ['PUBNUB_SUBSCRIBE_KEYS', 'PUBNUB_SUBSCRIBE_KEY'],
  ])('stops the start: %s is corrected to %s', (name, meant) => {
    expect(problemsOf({ [name]: 'x' })).toContain(`Did you mean ${meant}?`);
  });

  test('stops the start if it has the prefix of the hosted service', () => {
    const problem = 'PUBNUB_REGION is not known. Known variables:';
    expect(problemsOf({ PUBNUB_REGION: 'eu' })).toContain(problem);
  });

  test('stops the start in our own file, whatever its name', () => {
    expect(problemsOf({ COLOUR: 'red' }, ['COLOUR'])).toContain('COLOUR in .env is not known');
    expect(problemsOf({ NODE_ENV: 'production' }, ['NODE_ENV'])).toBe('');
  });

  test('does not stop the start if it belongs to another program', () => {
    const foreign = { PATH: '/bin', HOME: '/root', npm_config_yes: '1', PORTAL: 'x', LANG: 'C' };
    expect(problemsOf(foreign)).toBe('');
  });
});

const API = { API_BASE_URL: 'https://api.example.com', AUTH_SECRET: 'x'.repeat(32) };

describe('conflicting variables', () => {
  test('a product API needs a shared secret', () => {
    expect(problemsOf({ API_BASE_URL: 'https://api.example.com' })).toContain(
      'AUTH_SECRET is required with API_BASE_URL',
    );
  });

  test('a product API excludes demo accounts', () => {
    const problems = problemsOf({ ...API, DEMO: 'true' });
    expect(problems).toContain('DEMO is "true": expected false with API_BASE_URL');
  });

  test('a shared list of sign-outs is for stateless servers', () => {
    const shared = { SIGN_OUT_DIR: '/shared' };
    const problem = 'SIGN_OUT_DIR requires API_BASE_URL and PUBNUB_SUBSCRIBE_KEY';
    for (const half of [shared, { ...shared, ...KEYS }, { ...shared, ...API }]) {
      expect(problemsOf(half)).toContain(problem);
    }
    expect(mustParse({ ...shared, ...KEYS, ...API }).signOutDir).toBe('/shared');
  });

  test('a shared store is for stateless servers, and includes sign-outs', () => {
    const shared = { SHARED_STORE_URL: 'rediss://desk:hush@store.example.com:6380/2' };
    const problem = 'SHARED_STORE_URL requires API_BASE_URL and PUBNUB_SUBSCRIBE_KEY';
    for (const half of [shared, { ...shared, ...KEYS }, { ...shared, ...API }]) {
      expect(problemsOf(half)).toContain(problem);
    }
    const hosted = { ...shared, ...KEYS, ...API };
    expect(mustParse(hosted).sharedStoreUrl).toBe(shared.SHARED_STORE_URL);
    expect(problemsOf({ ...hosted, SIGN_OUT_DIR: '/shared' })).toContain(
      'SIGN_OUT_DIR cannot be combined with SHARED_STORE_URL',
    );
  });

  test.each(['http://s', 's:6379', 'redis://', 'redis://s/x', 'redis://s?a=1', 'redis://:%@s'])(
    'an invalid store address %j is refused without showing it',
    (address) => {
      const problems = problemsOf({ SHARED_STORE_URL: address });
      expect(problems).toContain('SHARED_STORE_URL has an invalid value: expected a redis://');
      expect(problems).not.toContain(`"${address}"`);
    },
  );
});
