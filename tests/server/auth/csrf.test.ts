import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createCookieClient } from '#tests/support/server/web-client.ts';
import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';

let server: WebServer;
beforeAll(async () => {
  server = await startWebServer();
});
afterAll(() => server.dispose());

const CALLBACK = '/api/auth/callback/credentials';
const RIGHT = { email: 'producer@example.com', password: 'producer', json: 'true' };

test.each(['http://localhost', 'http://127.0.0.1', 'http://[::1]'])(
  'a post from a page of this server at %s is accepted',
  async (host) => {
    const client = createCookieClient(server.port);
    const headers = { origin: `${host}:${server.port}`, 'sec-fetch-site': 'same-origin' };
    expect((await client.post(CALLBACK, RIGHT, headers)).status).toBe(200);
  },
);

describe('a sign-in from a page at another address of this server', () => {
  const post = async (port: number, origin: string) => {
    const headers = { origin, host: new URL(origin).host };
    const answer = await createCookieClient(port).post(CALLBACK, RIGHT, headers);
    const { error, url } = answer.json();
    return { status: answer.status, error, name: new URL(String(url)).searchParams.get('error') };
  };
  const REFUSED = { status: 400, name: 'MissingCSRF' };

  test('is refused with the address that works, and how to change it', async () => {
    const error = `Sign-in only works at http://localhost:${server.port}. Open that address, or set PUBLIC_URL to this one.`;
    // A published port of a container, or a tunnel.
    expect(await post(server.port, 'http://localhost:8080')).toEqual({ ...REFUSED, error });
  });

  test('is refused without advice that a start would refuse', async () => {
    const wide = await startWebServer({ HOST: '0.0.0.0' });
    const error = `Sign-in only works at http://localhost:${wide.port}. Open that address.`;
    const plain = `http://0.0.0.0:${wide.port}`;
    expect(await post(wide.port, plain)).toEqual({ ...REFUSED, error });
    await wide.dispose();
  });

  test('is refused behind a proxy with the public address', async () => {
    const secure = await startWebServer({ PUBLIC_URL: 'https://desk.example.com' });
    const error = 'Sign-in only works at https://desk.example.com. Open that address.';
    const own = `http://localhost:${secure.port}`;
    expect(await post(secure.port, own)).toEqual({ ...REFUSED, error });
    await secure.dispose();
  });

  test('with an old token of an own page is refused as out of date', async () => {
    const fields = { ...RIGHT, csrfToken: 'from an earlier session' };
    const answer = await createCookieClient(server.port).post(CALLBACK, fields);
    expect(answer.json()['error']).toContain('This page is out of date.');
  });
});

test('a token stays valid for its browser and session', { tags: ['S3.6', 'S7.5'] }, async () => {
  const client = createCookieClient(server.port);
  expect(await client.getCsrfToken()).toBe(await client.getCsrfToken());
  const before = await client.getCsrfToken();
  await client.signIn();
  expect(await client.getCsrfToken()).not.toBe(before);
});
