import { afterAll, beforeAll, expect, test } from 'vitest';

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

test('a token stays valid for its browser and session', { tags: ['S3.6', 'S7.5'] }, async () => {
  const client = createCookieClient(server.port);
  expect(await client.getCsrfToken()).toBe(await client.getCsrfToken());
  const before = await client.getCsrfToken();
  await client.signIn();
  expect(await client.getCsrfToken()).not.toBe(before);
});
