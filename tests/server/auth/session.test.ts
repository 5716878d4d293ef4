import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { parseSessionAnswer } from '#tests/support/server/session-answer.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { createCookieClient } from '#tests/support/server/web-client.ts';
import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';

const COOKIE = 'replay-desk.session';

let server: WebServer;
beforeAll(async () => {
  server = await startWebServer();
});
afterAll(() => server.dispose());

const readUser = async (client: ReturnType<typeof createCookieClient>) =>
  parseSessionAnswer((await client.send('/api/auth/session')).json())?.user;

describe('sign-in', () => {
  test(
    'without a session, the session response is an empty object',
    { tags: ['S7.4'] },
    async () => {
      const answer = await createCookieClient(server.port).send('/api/auth/session');
      expect(answer.status).toBe(200);
      expect(answer.json()).toEqual({});
      expect(answer.headers['cache-control']).toBe('no-store');
    },
  );

  test(
    'the correct password leads to the callback url and a session',
    { tags: ['S1.6', 'S3.5'] },
    async () => {
      const client = createCookieClient(server.port);
      const answer = await client.signIn();
      expect(answer.status).toBe(200);
      expect(answer.json()).toEqual({ url: `http://127.0.0.1:${server.port}/chat` });
      const session = (await client.send('/api/auth/session')).json();
      expect(session).toMatchObject({
        user: { uid: 'u_producer', email: 'producer@example.com', image: null, role: 'producer' },
      });
      const expires = Date.parse(String(session['expires'])) - Date.now();
      expect(expires).toBeGreaterThan(2_591_000_000);
      expect(expires).toBeLessThanOrEqual(2_592_000_000);
    },
  );

  test('addresses compare without case and surrounding blanks', async () => {
    const client = createCookieClient(server.port);
    expect((await client.signIn('  Producer@Example.COM ')).status).toBe(200);
    expect(await readUser(client)).toMatchObject({ uid: 'u_producer' });
  });

  test('the cookie is HttpOnly, Lax, for the whole site and plain on loopback http', async () => {
    const client = createCookieClient(server.port);
    const [cookie = ''] = [(await client.signIn()).headers['set-cookie'] ?? []].flat();
    expect(cookie).toMatch(/^replay-desk\.session=[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+; /);
    expect(cookie).toContain('HttpOnly');
    expect(cookie).toContain('SameSite=Lax');
    expect(cookie).toContain('Path=/');
    expect(cookie).not.toContain('Secure');
    expect(cookie).not.toContain('Domain');
  });

  test(
    'wrong passwords and unknown addresses get the same response',
    { tags: ['S3.5'] },
    async () => {
      const wrong = await createCookieClient(server.port).signIn('team@example.com', 'not this');
      const unknown = await createCookieClient(server.port).signIn(
        'nobody@example.com',
        'not this',
      );
      expect(wrong.status).toBe(401);
      expect(unknown.status).toBe(401);
      expect(unknown.text).toBe(wrong.text);
      const url = new URL(String(wrong.json()['url']));
      expect(url.pathname).toBe('/login');
      expect(url.searchParams.get('error')).toBe('CredentialsSignin');
      expect(wrong.headers['set-cookie']).toBeUndefined();
    },
  );

  test('a new sign-in denies the previous session', async () => {
    const client = createCookieClient(server.port);
    await client.signIn();
    const before = client.cookies.get(COOKIE) ?? '';
    await client.signIn('team@example.com', 'teammate');
    expect(await readUser(client)).toMatchObject({ uid: 'u_team' });
    client.cookies.set(COOKIE, before);
    expect(await readUser(client)).toBeUndefined();
  });
});

describe('sign-out', () => {
  test(
    'ends the session for every copy of its cookie, even after a restart',
    { tags: ['S7.8'] },
    async () => {
      const client = createCookieClient(server.port);
      await client.signIn();
      const copied = client.cookies.get(COOKIE) ?? '';
      const answer = await client.post('/api/auth/signout', { callbackUrl: '/login' });
      expect(answer.status).toBe(200);
      expect(answer.json()).toEqual({ url: `http://127.0.0.1:${server.port}/login` });
      expect(client.cookies.has(COOKIE)).toBe(false);
      const thief = createCookieClient(server.port);
      thief.cookies.set(COOKIE, copied);
      expect(await readUser(thief)).toBeUndefined();
      server = await server.restart();
      thief.cookies.set(COOKIE, copied);
      expect(await readUser(thief)).toBeUndefined();
    },
  );

  test('does not affect other sessions of the same user, even after a restart', async () => {
    const here = createCookieClient(server.port);
    const there = createCookieClient(server.port);
    await here.signIn();
    await there.signIn();
    await here.post('/api/auth/signout');
    server = await server.restart();
    expect(await readUser(there)).toMatchObject({ uid: 'u_producer' });
  });

  test('also succeeds without a session', { tags: ['S7.8'] }, async () => {
    expect((await createCookieClient(server.port).post('/api/auth/signout')).status).toBe(200);
  });
});

test('an unused session ends after SESSION_MAX_AGE', async () => {
  const short = await startWebServer({ SESSION_MAX_AGE: '10' });
  const client = createCookieClient(short.port);
  await client.signIn();
  const cookie = `${COOKIE}=${client.cookies.get(COOKIE)}`;
  expect((await client.send('/api/auth/session')).json()).not.toEqual({});
  // The same old cookie repeatedly: offered renewals are ignored.
  await waitFor('the session to end', async () => {
    const answer = await createCookieClient(short.port).send('/api/auth/session', {
      headers: { cookie },
    });
    return answer.text === '{}';
  });
  await short.dispose();
  expect(short.log()).not.toContain('"level":50');
});

test('nothing secret is logged', async () => {
  const client = createCookieClient(server.port);
  await client.signIn('producer@example.com', 'wrong-password-of-the-test');
  await client.signIn();
  await client.send('/api/auth/session?token=query-of-the-test');
  const log = server.log();
  expect(log).toContain('sign-in.succeeded');
  expect(log).not.toContain('wrong-password-of-the-test');
  expect(log).not.toContain('query-of-the-test');
  expect(log).not.toContain(client.cookies.get(COOKIE));
  expect(log).not.toContain(await client.getCsrfToken());
});
