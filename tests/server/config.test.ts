import { resolve } from 'node:path';

import { describe, expect, test } from 'vitest';

import { type Config, parseConfig } from '#server/config.ts';

const mustParse = (environment: Readonly<Record<string, string>>): Config => {
  const config = parseConfig(environment);
  if (!config.ok) throw new Error(config.error.join('\n'));
  return config.value;
};

const problemsOf = (
  environment: Readonly<Record<string, string>>,
  fileNames: readonly string[] = [],
): string => {
  const config = parseConfig(environment, fileNames);
  return config.ok ? '' : config.error.join('\n');
};

test('nothing needs to be set', () => {
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
    logLevel: 'info',
  });
});

test('empty values count as not set, blanks around values as nothing', () => {
  expect(mustParse({ PORT: '', API_BASE_URL: '  ', HOST: ' ::1 ' })).toMatchObject({
    port: 4600,
    apiBaseUrl: undefined,
    host: '::1',
  });
});

test('addresses are brought to one form', () => {
  const config = mustParse({
    PUBLIC_URL: 'https://Desk.Example.com:443/',
    API_BASE_URL: 'https://api.example.com/v1//',
    AUTH_SECRET: 'x'.repeat(32),
  });
  expect(config.publicUrl).toBe('https://desk.example.com');
  expect(config.apiBaseUrl).toBe('https://api.example.com/v1');
});

describe('an invalid value is named with what is expected and an example', () => {
  test.each([
    ['PORT', 'abc'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '1e3'],
    ['HOST', 'a b'],
    ['PUBLIC_URL', 'desk.example.com'],
    ['PUBLIC_URL', 'https://desk.example.com/path'],
    ['PUBLIC_URL', 'https://user@desk.example.com'],
    ['PUBLIC_URL', 'http://desk.example.com'],
    ['PUBLIC_URL', 'ftp://localhost'],
    ['DEMO', 'yes'],
    ['API_BASE_URL', '/v1'],
    ['API_BASE_URL', 'https://api.example.com/?x=1'],
    ['CHANNEL_TEMPLATE', 'chat.{cid}'],
    ['CHANNEL_TEMPLATE', 'chat {cid} {rid}'],
    ['SESSION_MAX_AGE', '0'],
    ['SESSION_MAX_AGE', '30d'],
    ['LOG_LEVEL', 'verbose'],
    ['PUBNUB_SSL', '1'],
  ])('%s=%s', (name, value) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toContain(`${name} is "${value}": expected `);
    expect(problems).toContain(`for example ${name}=`);
  });

  test('but a secret is not repeated', () => {
    const problems = problemsOf({ AUTH_SECRET: 'too-short-a-secret' });
    expect(problems).toContain('AUTH_SECRET has an unfit value: expected at least 32 bytes');
    expect(problems).not.toContain('too-short-a-secret');
  });

  test('and all of them at once', () => {
    expect(problemsOf({ PORT: 'x', DEMO: 'x' }).split('\n')).toHaveLength(2);
  });
});

describe('an unknown variable stops the start', () => {
  test.each([
    ['AUTH_SECRETS', 'AUTH_SECRET'],
    ['API_BASE_URI', 'API_BASE_URL'],
    ['PUBLIC_URI', 'PUBLIC_URL'],
    ['CHANEL_TEMPLATE', 'CHANNEL_TEMPLATE'],
    ['SESSION_MAXAGE', 'SESSION_MAX_AGE'],
    ['PUBNUB_SUBSCRIBE_KEYS', 'PUBNUB_SUBSCRIBE_KEY'],
  ])('%s was meant as %s', (name, meant) => {
    expect(problemsOf({ [name]: 'x' })).toContain(`Did you mean ${meant}?`);
  });

  test('of the hosted service', () => {
    expect(problemsOf({ PUBNUB_REGION: 'eu' })).toContain('PUBNUB_REGION is not known. Known are:');
  });

  test('in our own file, whatever its name', () => {
    expect(problemsOf({ COLOUR: 'red' }, ['COLOUR'])).toContain('COLOUR in .env is not known');
    expect(problemsOf({ NODE_ENV: 'production' }, ['NODE_ENV'])).toBe('');
  });

  test("but others' variables do not", () => {
    const foreign = { PATH: '/bin', HOME: '/root', npm_config_yes: '1', PORTAL: 'x', LANG: 'C' };
    expect(problemsOf(foreign)).toBe('');
  });
});

describe('variables that do not go together', () => {
  test('a product API needs a secret that all instances share', () => {
    expect(problemsOf({ API_BASE_URL: 'https://api.example.com' })).toContain(
      'AUTH_SECRET is required with API_BASE_URL',
    );
  });

  test('a product API has no demo accounts', () => {
    const problems = problemsOf({
      API_BASE_URL: 'https://api.example.com',
      AUTH_SECRET: 'x'.repeat(32),
      DEMO: 'true',
    });
    expect(problems).toContain('DEMO is "true": expected false with API_BASE_URL');
  });

  test('hosted realtime is honestly not here yet', () => {
    expect(problemsOf({ PUBNUB_SUBSCRIBE_KEY: 'sub-c-1' })).toContain(
      'this version has the embedded realtime engine only',
    );
  });

  test('a publish key alone is half a setting', () => {
    expect(problemsOf({ PUBNUB_PUBLISH_KEY: 'pub-c-1' })).toContain(
      'PUBNUB_SUBSCRIBE_KEY is missing',
    );
  });
});
