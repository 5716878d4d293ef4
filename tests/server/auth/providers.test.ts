import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createCookieClient, FORM, send, toForm } from '#tests/support/server/web-client.ts';
import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';

let server: WebServer;
beforeAll(async () => {
  server = await startWebServer();
});
afterAll(() => server.dispose());

const own = (): string => `http://127.0.0.1:${server.port}`;

test('providers are a map with a type', { tags: ['S7.5'] }, async () => {
  const answer = await send(server.port, '/api/auth/providers');
  expect(answer.json()).toEqual({
    credentials: {
      id: 'credentials',
      name: 'Email and password',
      type: 'credentials',
      signinUrl: `${own()}/api/auth/signin/credentials`,
      callbackUrl: `${own()}/api/auth/callback/credentials`,
    },
  });
});

test.each(['callback', 'signin'])(
  '%s: an unknown provider leads to the sign-in path',
  { tags: ['S2.19'] },
  async (path) => {
    const client = createCookieClient(server.port);
    const answer = await client.post(`/api/auth/${path}/google`, { callbackUrl: '/chat' });
    expect(answer.status).toBe(404);
    const url = new URL(String(answer.json()['url']));
    expect(url.pathname).toBe('/api/auth/signin');
    expect(url.searchParams.get('callbackUrl')).toBe(`${own()}/chat`);
  },
);

test.each(['callback', 'signin'])(
  '%s: a missing provider leads to the error path',
  { tags: ['S2.18'] },
  async (path) => {
    const answer = await createCookieClient(server.port).post(`/api/auth/${path}`);
    expect(answer.status).toBe(404);
    expect(answer.json()['url']).toBe(`${own()}/api/auth/error`);
  },
);

test('signin/credentials returns the sign-in path', { tags: ['S7.7'] }, async () => {
  const client = createCookieClient(server.port);
  const answer = await client.post('/api/auth/signin/credentials', { callbackUrl: '/chat' });
  expect(answer.status).toBe(200);
  expect(answer.json()['url']).toBe(
    `${own()}/api/auth/signin?callbackUrl=${encodeURIComponent(`${own()}/chat`)}`,
  );
});

describe(
  'the paths under the auth base send a browser to the sign-in page',
  { tags: ['S2.17', 'S8.7'] },
  () => {
    test.each([
      ['/api/auth/signin', '/login'],
      ['/api/auth/signin/credentials', '/login'],
      ['/api/auth/signin?error=SessionRequired', '/login?error=SessionRequired'],
      ['/api/auth/error?error=UnknownError', '/login?error=UnknownError'],
      ['/api/auth/error?error=%3Cscript%3E', '/login'],
      [`/api/auth/error?error=${'a'.repeat(65)}`, '/login'],
      ['/api/auth/signin?x=1%0d%0aset-cookie:a=b', '/login'],
    ])('%s', async (path, target) => {
      const answer = await send(server.port, path);
      expect(answer.status).toBe(302);
      expect(answer.headers['location']).toBe(`${own()}${target}`);
    });

    test('keep a callback url of this origin, and drop others', async () => {
      const [kept, dropped] = await Promise.all(
        ['/chat/c_001', '//evil.example'].map((callbackUrl) =>
          send(server.port, `/api/auth/signin?callbackUrl=${encodeURIComponent(callbackUrl)}`),
        ),
      );
      const read = (location: unknown): string | null =>
        new URL(String(location)).searchParams.get('callbackUrl');
      expect(read(kept?.headers['location'])).toBe(`${own()}/chat/c_001`);
      expect(read(dropped?.headers['location'])).toBe(`${own()}/`);
    });
  },
);

describe('_log', () => {
  const log = (body: string, headers: Readonly<Record<string, string>> = FORM) =>
    send(server.port, '/api/auth/_log', { method: 'POST', headers, body });

  test('accepts a beacon', { tags: ['S7.9'] }, async () => {
    const answer = await log(
      toForm({ level: 'error', code: 'CLIENT_FETCH_ERROR', details: '{"url":"/x"}' }),
    );
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({});
    expect(server.log()).toContain('CLIENT_FETCH_ERROR');
  });

  test('accepts JSON', async () => {
    const body = JSON.stringify({ level: 'warn', code: 'FROM_JSON', details: { a: [1] } });
    expect((await log(body, { 'content-type': 'application/json' })).status).toBe(200);
    expect(server.log()).toContain('FROM_JSON');
  });
});
