import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createCookieClient } from '#tests/support/server/web-client.ts';
import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';

let server: WebServer;
beforeAll(async () => {
  server = await startWebServer();
});
afterAll(() => server.dispose());

const signOutTo = async (callbackUrl: string): Promise<unknown> => {
  const client = createCookieClient(server.port);
  return (await client.post('/api/auth/signout', { callbackUrl })).json()['url'];
};

const own = (): string => `http://127.0.0.1:${server.port}`;

describe('an address of this server is kept', () => {
  test.each([
    ['/', '/'],
    ['/chat/c_001/team?x=1#last', '/chat/c_001/team?x=1#last'],
    ['/chat/%E2%9C%93', '/chat/%E2%9C%93'],
    ['/login?next=//evil.example', '/login?next=//evil.example'],
    [`/${'a'.repeat(2047)}`, `/${'a'.repeat(2047)}`],
  ])('%j', async (callbackUrl, path) => {
    expect(await signOutTo(callbackUrl)).toBe(`${own()}${path}`);
  });

  test('absolute urls are also kept', async () => {
    expect(await signOutTo(`${own()}/chat?x=1`)).toBe(`${own()}/chat?x=1`);
  });
});

test('a sign-in that succeeds never reads as a refusal', async () => {
  const client = createCookieClient(server.port);
  const answer = await client.signIn(undefined, undefined, '/chat?error=Call%20us&x=1&error=b');
  expect(answer.json()).toEqual({ url: `${own()}/chat?x=1` });
});

test('behind https only the public address belongs to this server', async () => {
  const https = await startWebServer({ PUBLIC_URL: 'https://desk.example.com/' });
  const client = createCookieClient(https.port);
  const answer = await client.signIn(undefined, undefined, `http://localhost:${https.port}/chat`);
  expect(answer.json()).toEqual({ url: 'https://desk.example.com/' });
  const [cookie = ''] = [answer.headers['set-cookie'] ?? []].flat();
  expect(cookie).toMatch(/^__Host-replay-desk\.session=.+; Path=\/; Expires=.+; HttpOnly; Secure/);
  expect(answer.headers['strict-transport-security']).toMatch(/^max-age=\d{8}/);
  expect((await client.signIn(undefined, undefined, '/chat')).json()).toEqual({
    url: 'https://desk.example.com/chat',
  });
  await https.dispose();
});
