import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  type HostedServer,
  startHostedServer,
  toTeams,
} from '#tests/support/scenes/hosted-server.ts';
import { answerJson } from '#tests/support/services/product-api.ts';
import { type CookieClient, createCookieClient } from '#tests/support/server/web-client.ts';

const TEAMS = '/api/proxy/staff/teams';
const USER = { uid: 'u_ana', name: 'Ana' };

let backend: HostedServer;
beforeAll(async () => {
  backend = await startHostedServer();
});
afterAll(() => backend.dispose());

/** Signs in with this answer of `/auth`; after that, the lists contain two clients. */
const signIn = async (auth: unknown): Promise<CookieClient> => {
  backend.api.answer = answerJson(auth);
  const client = createCookieClient(backend.server.port);
  expect((await client.signIn('ana@example.com', 'secret')).status).toBe(200);
  backend.api.answer = answerJson(toTeams('c_001', 'c_002'));
  backend.api.received.length = 0;
  return client;
};

const sentToken = (): unknown => backend.api.received.at(-1)?.headers['authorization'];

const copyOf = (client: CookieClient): CookieClient => {
  const copy = createCookieClient(backend.server.port);
  for (const [name, value] of client.cookies) copy.cookies.set(name, value);
  return copy;
};

describe('the token of the product API', () => {
  test.each([
    ['beside the user', { user: USER, token: 't.1' }],
    ['called accessToken', { user: USER, accessToken: 't.1' }],
    ['called access_token', { user: USER, access_token: 't.1', token_type: 'bearer' }],
    ['among the fields of the user only', { ...USER, token: 't.1' }],
    ['in the user', { user: { ...USER, token: 't.1' } }],
  ])('%s is sent with the calls for this user', async (_where, auth) => {
    const client = await signIn(auth);
    expect((await client.send(TEAMS)).status).toBe(200);
    expect(sentToken()).toBe('Bearer t.1');
  });

  test('is not readable by a page', async () => {
    const client = await signIn({ user: USER, token: 'tell-nobody' });
    const session = await client.send('/api/auth/session');
    const teams = await client.send(TEAMS);
    expect(session.json()).toMatchObject({ user: { uid: 'u_ana' } });
    const cookies = [...client.cookies.values()].join(' ');
    for (const text of [session.text, teams.text, cookies, backend.server.log()]) {
      expect(text).not.toContain('tell-nobody');
    }
  });

  test.each([
    ['none', { user: USER }],
    ['null', { user: USER, token: null }],
    ['an empty text', { user: USER, token: '' }],
  ])('may be %s', async (_what, auth) => {
    const client = await signIn(auth);
    expect((await client.send(TEAMS)).status).toBe(200);
    expect(sentToken()).toBeUndefined();
  });

  test.each([
    ['a line break', 'a\r\nx-admin: 1'],
    ['a space', 'a b'],
    ['an object', { value: 't' }],
    ['a letter no header carries', 'tökен'],
  ])('is invalid with %s, and the sign-in fails', async (_what, token) => {
    backend.api.answer = answerJson({ user: USER, token });
    const client = createCookieClient(backend.server.port);
    expect((await client.signIn('ana@example.com', 'secret')).status).toBe(502);
    expect((await client.send('/api/auth/session')).json()).toEqual({});
  });
});

describe('a cookie', () => {
  test('has space for a token of 2,500 characters, for which a picture is dropped', async () => {
    const image = `https://pictures.example/${'x'.repeat(900)}`;
    const client = await signIn({ user: { ...USER, image }, token: 't'.repeat(2500) });
    for (const value of client.cookies.values()) expect(value.length).toBeLessThanOrEqual(4000);
    expect((await client.send('/api/auth/session')).json()).toMatchObject({
      user: { image: null },
    });
    await client.send(TEAMS);
    expect(sentToken()).toBe(`Bearer ${'t'.repeat(2500)}`);
  });

  test('has no space for a longer token: the sign-in fails and the log gives the reason', async () => {
    backend.api.answer = answerJson({ user: USER, token: 't'.repeat(4000) });
    const client = createCookieClient(backend.server.port);
    const answer = await client.signIn('ana@example.com', 'secret');
    expect(answer.status).toBe(502);
    expect(client.cookies.has('replay-desk.session')).toBe(false);
    expect(backend.server.log()).toContain('the token of the product API is too long for a cookie');
  });
});

describe('the product API', () => {
  test('ends a session by a 401 for its own token, here and for every copy of the cookie', async () => {
    const client = await signIn({ user: USER, token: 't.1' });
    const copy = copyOf(client);
    backend.api.answer = answerJson({}, 401);
    const answer = await client.send(TEAMS);
    expect(answer.status).toBe(401);
    expect(answer.json()).toEqual({ error: 'Sign in again' });
    // The session's own cookie stays: by then, a sign-in may have replaced it.
    const names = [answer.headers['set-cookie']].flat().map((cookie) => cookie?.split('=')[0]);
    expect(names).toEqual(['replay-desk.ended']);
    backend.api.answer = answerJson([]);
    expect((await copy.send(TEAMS)).status).toBe(401);
    expect((await copy.send('/api/auth/session')).json()).toEqual({});
    backend.api.answer = answerJson({ user: USER, token: 't.2' });
    expect((await client.signIn('ana@example.com', 'secret')).status).toBe(200);
    expect((await client.send('/api/auth/session')).json()).toMatchObject({ user: USER });
  });

  test('does not end a session by a 401 for the producers, which a user may not be allowed to list', async () => {
    const client = await signIn({ user: USER, token: 't.1' });
    backend.api.answer = answerJson({}, 401);
    expect((await client.send('/api/proxy/staff/producers')).status).toBe(502);
    expect((await client.send('/api/auth/session')).json()).toMatchObject({ user: USER });
  });

  test('does not end a session by a 403, which is about one list', async () => {
    const client = await signIn({ user: USER, token: 't.1' });
    backend.api.answer = answerJson({}, 403);
    expect((await client.send(TEAMS)).status).toBe(502);
    expect((await client.send('/api/auth/session')).json()).toMatchObject({ user: USER });
  });

  test('does not end a session by a request for a token that it never issued', async () => {
    const client = await signIn({ user: USER });
    backend.api.answer = answerJson({}, 401);
    expect((await client.send(TEAMS)).status).toBe(502);
    expect((await client.send('/api/auth/session')).json()).toMatchObject({ user: USER });
  });
});
