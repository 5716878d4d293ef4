import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Answer, createCookieClient, FORM, toForm } from '#tests/support/web-client.ts';
import { startWebServer, type WebServer } from '#tests/support/web-server.ts';

let server: WebServer;
beforeAll(async () => {
  server = await startWebServer();
});
afterAll(() => server.dispose());

const CALLBACK = '/api/auth/callback/credentials';
const RIGHT = { email: 'producer@example.com', password: 'producer', json: 'true' };

const REFUSED = { status: 400, path: '/login', name: 'MissingCSRF', words: 'string', cookies: 0 };

/** What a refusal consists of; its url must be absolute and of this origin. */
const toRefusal = (answer: Answer) => {
  const { error, url } = answer.json();
  const own = new URL(String(url).replace(`http://127.0.0.1:${server.port}`, 'http://own'));
  return {
    status: answer.status,
    path: own.host === 'own' ? own.pathname : own.href,
    name: own.searchParams.get('error'),
    words: typeof error,
    cookies: [answer.headers['set-cookie'] ?? []].flat().length,
  };
};

describe('a forged post is refused', () => {
  test.each([
    ['no token', {}],
    ['an empty token', { csrfToken: '' }],
    ['a short token', { csrfToken: 'abc' }],
    ['a token of the right length', { csrfToken: 'A'.repeat(43) }],
    ['a token of other letters', { csrfToken: 'é'.repeat(43) }],
  ])('with %s', async (_what, fields) => {
    const client = createCookieClient(server.port);
    await client.getCsrfToken();
    const body = toForm({ ...RIGHT, ...fields });
    expect(toRefusal(await client.send(CALLBACK, { method: 'POST', headers: FORM, body }))).toEqual(
      REFUSED,
    );
  });

  test("with another browser's token", async () => {
    const [mine, other] = [createCookieClient(server.port), createCookieClient(server.port)];
    const csrfToken = await other.getCsrfToken();
    expect(toRefusal(await mine.post(CALLBACK, { ...RIGHT, csrfToken }))).toEqual(REFUSED);
  });

  test('with a token but without the cookie', async () => {
    const client = createCookieClient(server.port);
    const csrfToken = await client.getCsrfToken();
    client.cookies.clear();
    const body = toForm({ ...RIGHT, csrfToken });
    expect(toRefusal(await client.send(CALLBACK, { method: 'POST', headers: FORM, body }))).toEqual(
      REFUSED,
    );
  });

  test('with a token from before the sign-in', async () => {
    const client = createCookieClient(server.port);
    const csrfToken = await client.getCsrfToken();
    await client.signIn();
    expect(toRefusal(await client.post('/api/auth/signout', { csrfToken }))).toEqual(REFUSED);
    expect((await client.send('/api/auth/session')).text).toContain('u_producer');
  });

  test.each([
    ['JSON', 'application/json'],
    ['plain text', 'text/plain'],
    ['multipart', 'multipart/form-data; boundary=x'],
    ['a look-alike', 'application/x-www-form-urlencodedx'],
    ['no type', ''],
  ])('as %s', async (_what, type) => {
    const client = createCookieClient(server.port);
    expect(toRefusal(await client.post(CALLBACK, RIGHT, { 'content-type': type }))).toEqual(
      REFUSED,
    );
  });

  test.each([
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['an opaque origin', { origin: 'null' }],
    ['the right host on another port', { origin: 'http://127.0.0.1:1' }],
    ['https instead of http', { origin: 'https://localhost' }],
    ['a look-alike origin', { origin: 'http://localhost.evil.example' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a sister site', { 'sec-fetch-site': 'same-site' }],
    ['another site that claims our origin', { origin: 'SELF', 'sec-fetch-site': 'cross-site' }],
  ])('from %s', async (_what, headers) => {
    const own = `http://127.0.0.1:${server.port}`;
    const sent = Object.entries(headers).map(([name, value]) => [name, value.replace('SELF', own)]);
    const client = createCookieClient(server.port);
    expect(toRefusal(await client.post(CALLBACK, RIGHT, Object.fromEntries(sent)))).toEqual(
      REFUSED,
    );
  });

  test('to signout and signin as well', async () => {
    const client = createCookieClient(server.port);
    expect(toRefusal(await client.post('/api/auth/signout', { csrfToken: 'no' }))).toEqual(REFUSED);
    expect(
      toRefusal(await client.post('/api/auth/signin/credentials', { csrfToken: 'no' })),
    ).toEqual(REFUSED);
  });
});

test.each(['http://localhost', 'http://127.0.0.1', 'http://[::1]'])(
  'a post from our own page at %s is taken',
  async (host) => {
    const client = createCookieClient(server.port);
    const headers = { origin: `${host}:${server.port}`, 'sec-fetch-site': 'same-origin' };
    expect((await client.post(CALLBACK, RIGHT, headers)).status).toBe(200);
  },
);

test('a token stays good for its browser and session', async () => {
  const client = createCookieClient(server.port);
  expect(await client.getCsrfToken()).toBe(await client.getCsrfToken());
  const before = await client.getCsrfToken();
  await client.signIn();
  expect(await client.getCsrfToken()).not.toBe(before);
});
