import type { RequestListener } from 'node:http';

import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';

import {
  answerJson,
  type ProductApi,
  startProductApi,
} from '#tests/support/services/product-api.ts';
import {
  type CookieClient,
  createCookieClient,
  FORM,
  toForm,
} from '#tests/support/server/web-client.ts';
import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';

const TEAMS = '/api/proxy/staff/teams';
const MEGABYTE = 1024 * 1024;

/** A list that the page would accept. */
const LIST = [{ client_id: 'c_1', client: { first_name: 'A', last_name: 'B' } }];
const redirectToList: RequestListener = (incoming, outgoing) =>
  incoming.url === '/v1/elsewhere'
    ? answerJson(LIST)(incoming, outgoing)
    : answerJson([], 302, { location: '/v1/elsewhere' })(incoming, outgoing);

let api: ProductApi;
let server: WebServer;
let client: CookieClient;

beforeAll(async () => {
  api = await startProductApi();
  server = await startWebServer({ API_BASE_URL: `${api.url}/`, AUTH_SECRET: 's'.repeat(32) });
});
afterAll(async () => {
  await server.dispose();
  await api.close();
});
beforeEach(async () => {
  client = createCookieClient(server.port);
  api.answer = answerJson({ user: { id: 42, name: 'Ana', role: 'producer' } });
  await client.signIn('ana@example.com', 'secret');
  api.received.length = 0;
});

describe('sign-in at the product API', () => {
  test('leaves no session behind if its browser has gone', async () => {
    const answerUser = api.answer;
    const before = (await client.send('/api/sessions')).json();
    const { promise: isAsked, resolve: ask } = Promise.withResolvers<() => void>();
    api.answer = (incoming, outgoing) => ask(() => answerUser(incoming, outgoing));
    const csrfToken = await client.getCsrfToken();
    const leave = new AbortController();
    const left = client.send('/api/auth/callback/credentials', {
      method: 'POST',
      headers: FORM,
      body: toForm({ csrfToken, json: 'true', email: 'ana@example.com', password: 'secret' }),
      signal: leave.signal,
    });
    const respond = await isAsked;
    leave.abort();
    await expect(left).rejects.toThrow('aborted');
    // By then the server knows that the connection was closed.
    expect((await client.send('/api/health')).status).toBe(200);
    respond();
    await expect.poll(() => server.log()).toContain('sign-in.failed');
    expect((await client.send('/api/auth/session')).json()).toMatchObject({ user: { uid: '42' } });
    expect((await client.send('/api/sessions')).json()).toEqual(before);
  });

  test('sends email and password as JSON and reads the user', { tags: ['S7.1'] }, async () => {
    await client.signIn('ana@example.com', 'secret');
    expect(api.received).toHaveLength(1);
    expect(api.received[0]).toMatchObject({ method: 'POST', url: '/v1/auth' });
    expect(JSON.parse(api.received[0]?.body ?? '')).toEqual({
      email: 'ana@example.com',
      password: 'secret',
    });
    expect((await client.send('/api/auth/session')).json()).toMatchObject({
      user: { uid: '42', name: 'Ana', email: 'ana@example.com', role: 'producer' },
    });
  });

  // The part before the @ may distinguish capitals (RFC 5321 section 2.4).
  test('sends the address as it was typed, without spaces around it', async () => {
    await client.signIn(' Ana.Lee@Example.com ', 'secret');
    expect(JSON.parse(api.received[0]?.body ?? '')).toMatchObject({ email: 'Ana.Lee@Example.com' });
  });

  test('accepts a user without an envelope', async () => {
    api.answer = answerJson({ uid: 'u_9', name: 'Bo' });
    await client.signIn('bo@example.com', 'secret');
    expect((await client.send('/api/auth/session')).json()).toMatchObject({
      user: { uid: 'u_9', role: 'team' },
    });
  });

  test.each([
    ['email', { email: 7 }],
    ['image', { image: { url: '/ana.png' } }],
    ['name', { name: ['Ana'], first_name: 'Ana', last_name: 7 }],
    ['role', { role: 7 }],
  ])('accepts a user whose %s is not text, and ignores that field', async (_field, fields) => {
    api.answer = answerJson({ uid: 'u_9', name: 'Ana', ...fields });
    const answer = await client.signIn('ana@example.com', 'secret');
    expect(answer.status).toBe(200);
    expect((await client.send('/api/auth/session')).json()).toMatchObject({
      user: { uid: 'u_9', name: 'Ana', email: 'ana@example.com', role: 'team' },
    });
  });

  test.each([400, 401, 403, 404, 422])('treats %d as a wrong password', async (status) => {
    api.answer = answerJson({ error: 'no' }, status);
    const answer = await createCookieClient(server.port).signIn(`${status}@example.com`, 'secret');
    expect(answer.status).toBe(401);
  });

  test.each([
    ['500', answerJson({}, 500), '"status":500'],
    ['no user', answerJson({}), 'an answer of POST /auth without a user'],
    ['a list', answerJson([]), 'an answer of POST /auth without a user'],
    ['an endless uid', answerJson({ uid: 'x'.repeat(200) }), 'an answer of POST /auth'],
    ['a token with spaces', answerJson({ uid: 'u_9', token: 't 1' }), 'with an invalid token'],
    ['a page', answerJson('<html>', 200, { 'content-type': 'text/html' }), 'content type'],
    ['a redirect', answerJson({}, 302, { location: 'https://evil.example' }), '"reason":'],
  ])('treats %s as unavailable, and logs why', async (_what, listener, reason) => {
    api.answer = listener;
    const answer = await createCookieClient(server.port).signIn('x@example.com', 'secret');
    expect(answer.status).toBe(502);
    const url = new URL(String(answer.json()['url']));
    expect(url.searchParams.get('error')).toBe('UnknownError');
    const lines = server.log().split('\n');
    expect(lines.findLast((line) => line.includes('sign-in could not be checked'))).toContain(
      reason,
    );
  });

  test('does not accept the embedded demo accounts', async () => {
    api.answer = answerJson({ error: 'no' }, 401);
    expect((await createCookieClient(server.port).signIn()).status).toBe(401);
    expect((await client.send('/api/config')).json()).toMatchObject({ demo: false });
  });
});

describe('the staff lists of the product API', () => {
  test('are passed on with the known fields, without headers in either direction', async () => {
    const team = { client_id: 'c_1', client: { first_name: 'A', last_name: 'B' } };
    const stated = { ...team.client, phone: '555' };
    api.answer = answerJson([{ ...team, client: stated, extra: 1 }], 200, {
      'set-cookie': 'upstream=1',
      'access-control-allow-origin': '*',
      'x-powered-by': 'upstream',
    });
    const headers = { authorization: 'Bearer x', 'x-forwarded-host': 'evil.example' };
    const answer = await client.send(`${TEAMS}?page=2`, { headers });
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual([team]);
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    expect(answer.headers['x-powered-by']).toBeUndefined();
    const [received] = api.received;
    expect(received?.url).toBe('/v1/staff/teams');
    expect(received?.headers).toMatchObject({ accept: 'application/json' });
    expect(received?.headers['cookie']).toBeUndefined();
    expect(received?.headers['authorization']).toBeUndefined();
    expect(received?.headers['x-forwarded-host']).toBeUndefined();
  });

  test.each([
    ['500', answerJson({ secret: 'detail' }, 500)],
    ['404', answerJson({ secret: 'detail' }, 404)],
    ['401', answerJson({ secret: 'detail' }, 401)],
    ['a redirect to a good list', redirectToList],
    ['a good list as a page', answerJson(LIST, 200, { 'content-type': 'text/html' })],
    ['a page with 200', answerJson('<html>detail', 200, { 'content-type': 'text/html' })],
    ['broken JSON', answerJson('[{"detail":')],
    ['a good list over 5 MB', answerJson([{ ...LIST[0], more: 'x'.repeat(5 * MEGABYTE) }])],
  ])('result in a 502 for %s', async (_what, listener) => {
    api.answer = listener;
    const answer = await client.send(TEAMS);
    expect(answer.status).toBe(502);
    expect(answer.json()).toEqual({ error: 'The product API failed' });
  });

  test('result in a 502 if the connection is cut', async () => {
    api.answer = (_incoming, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
      outgoing.write('[{');
      setTimeout(() => outgoing.destroy(), 10);
    };
    expect((await client.send(TEAMS)).status).toBe(502);
  });

  test('result in a 504 without an answer within 10 s', async () => {
    const clock = new AbortController();
    const begin = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(clock.signal);
    onTestFinished(() => begin.mockRestore());
    const isAsked = new Promise<void>((resolve) => {
      api.answer = (_incoming, outgoing) => {
        outgoing.writeHead(200, { 'content-type': 'application/json' });
        outgoing.write('[', () => resolve());
      };
    });
    const answer = client.send(TEAMS);
    await isAsked;
    expect(begin.mock.calls).toEqual([[10_000]]);
    clock.abort();
    expect((await answer).status).toBe(504);
  });
});
