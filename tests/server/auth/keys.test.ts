import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { personalKeysSchema } from '#domain/schemas/personal-keys.ts';
import { createPersonalKeys } from '#server/auth/personal-keys.ts';
import { createCookieClient } from '#tests/support/server/web-client.ts';
import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';

const SECRET = 'a secret of at least thirty-two bytes';
const OLDER = 'another one of at least thirty-two bytes';

let server: WebServer;
beforeAll(async () => {
  server = await startWebServer();
});
afterAll(() => server.dispose());

const signIn = async (email: string, password: string, { port } = server) => {
  const client = createCookieClient(port);
  await client.signIn(email, password);
  return client;
};

const askKeys = async (client: ReturnType<typeof createCookieClient>) => {
  const answer = await client.send('/api/auth/keys');
  expect(answer.status).toBe(200);
  expect(answer.headers['cache-control']).toBe('no-store');
  return personalKeysSchema.parse(answer.json());
};

describe('GET /api/auth/keys', () => {
  test('is available only with a session', async () => {
    const client = createCookieClient(server.port);
    const before = await client.send('/api/auth/keys');
    expect([before.status, before.json()]).toEqual([401, { error: 'Sign in first' }]);
    await client.signIn();
    const cookies = new Map(client.cookies);
    await client.post('/api/auth/signout');
    for (const [name, value] of cookies) client.cookies.set(name, value);
    const after = await client.send('/api/auth/keys');
    expect([after.status, after.json()]).toEqual([401, { error: 'Sign in first' }]);
  });

  test('returns the same keys in every session of a person, and never those of another', async () => {
    const [one, again, other] = await Promise.all([
      signIn('producer@example.com', 'producer'),
      signIn('producer@example.com', 'producer'),
      signIn('team@example.com', 'teammate'),
    ]);
    const [mine, mineAgain, theirs] = await Promise.all([one, again, other].map(askKeys));
    expect(mine).toMatchObject({ uid: 'u_producer' });
    expect(mineAgain).toEqual(mine);
    expect(theirs?.keys[0]?.key).not.toBe(mine?.keys[0]?.key);
    expect(theirs?.keys[0]?.store).not.toBe(mine?.keys[0]?.store);
  });
});

/** The producer's keys from a server with these settings. */
const askUnder = async (variables: Readonly<Record<string, string>>) => {
  const own = await startWebServer(variables);
  try {
    return (await askKeys(await signIn('producer@example.com', 'producer', own))).keys;
  } finally {
    await own.dispose();
  }
};

test('during a rotation it also returns the previous keys, for decryption only', async () => {
  const [old] = await askUnder({ AUTH_SECRET: OLDER });
  const [fresh] = await askUnder({ AUTH_SECRET: SECRET });
  const rotated = await askUnder({ AUTH_SECRET: SECRET, AUTH_SECRET_PREVIOUS: OLDER });
  expect(rotated).toEqual([fresh, old]);
  expect(fresh?.key).not.toBe(old?.key);
});

describe('keys of a person', () => {
  test("differ by secret and by authority; the older secret's key still decrypts", () => {
    const [mine] = createPersonalKeys([SECRET], 'embedded accounts')('u_me').keys;
    const [hosted] = createPersonalKeys([SECRET], 'product API')('u_me').keys;
    const [other] = createPersonalKeys([OLDER], 'embedded accounts')('u_me').keys;
    expect(new Set([mine?.key, hosted?.key, other?.key]).size).toBe(3);
    expect(new Set([mine?.store, hosted?.store, other?.store]).size).toBe(3);
    expect(createPersonalKeys([SECRET, OLDER], 'embedded accounts')('u_me').keys).toEqual([
      mine,
      other,
    ]);
  });

  test('reveal nothing about their person', () => {
    const answer = createPersonalKeys([SECRET], 'embedded accounts')('u_me');
    expect(JSON.stringify(answer.keys)).not.toContain('u_me');
  });
});
