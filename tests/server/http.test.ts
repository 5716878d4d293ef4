import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { publicConfigSchema } from '#domain/schemas/config.ts';
import { createCookieClient, FORM, send, sendRaw } from '#tests/support/web-client.ts';
import { startWebServer, type WebServer } from '#tests/support/web-server.ts';

let server: WebServer;
beforeAll(async () => {
  server = await startWebServer();
});
afterAll(() => server.dispose());

test('health states the version', async () => {
  const answer = await send(server.port, '/api/health');
  expect(answer.status).toBe(200);
  expect(answer.json()).toEqual({ status: 'ok', version: server.version });
});

test('the public config is what the page expects and nothing more', async () => {
  const config = (await send(server.port, '/api/config')).json();
  expect(publicConfigSchema.parse(config)).toEqual(config);
  expect(config).toEqual({
    version: server.version,
    demo: true,
    engine: 'embedded',
    channelTemplate: 'chat.{cid}.{rid}',
    sessionPollSeconds: 0,
  });
});

test('the realtime engine is mounted and asks for a session', async () => {
  const client = createCookieClient(server.port);
  expect((await client.send('/api/realtime/token')).status).toBe(401);
  await client.signIn();
  const token = (await client.send('/api/realtime/token')).json();
  expect(token).toMatchObject({
    token: expect.any(String) as string,
    expires: expect.any(Number) as number,
  });
});

describe('unknown paths under /api are a JSON 404, never the page', () => {
  test.each([
    '/api',
    '/api/',
    '/api/nothing',
    '/api/nothing.js',
    '/api/auth',
    '/api/auth/nothing',
    '/api/auth/session/more',
    '/api/realtime',
    '/api/realtime/nothing',
    '/api/health/',
    '/api/%2e%2e/index.html',
    '/api/../api/nothing',
  ])('%s', async (path) => {
    const answer = await send(server.port, path);
    expect(answer.status).toBe(404);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.json()).toEqual({ error: 'Not found' });
  });

  test('for every method', async () => {
    expect((await send(server.port, '/api/nothing', { method: 'POST' })).status).toBe(404);
    expect((await send(server.port, '/api/nothing', { method: 'PURGE' })).status).toBe(404);
  });
});

test('other methods on a page are a 405', async () => {
  const answer = await send(server.port, '/chat', { method: 'POST' });
  expect(answer.status).toBe(405);
  expect(answer.headers['allow']).toBe('GET, HEAD');
  expect(answer.json()).toEqual({ error: 'Expected GET, HEAD' });
});

describe('bodies', () => {
  const post = (body: string, headers: Readonly<Record<string, string>> = {}) =>
    send(server.port, '/api/auth/_log', { method: 'POST', headers: { ...FORM, ...headers }, body });

  test('of 64 kB pass', async () => {
    expect((await post(`code=LONG&details=${'x'.repeat(65_000)}`)).status).toBe(200);
  });

  test.each([65_537, 10 * 1024 * 1024])('of %d bytes are a 413', async (bytes) => {
    const answer = await post('x'.repeat(bytes));
    expect(answer.status).toBe(413);
    expect(answer.json()).toEqual({ error: expect.any(String) as string });
  });

  test('in chunks are counted as they come', async () => {
    const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`;
    const answer = await sendRaw(
      server.port,
      `POST /api/auth/_log HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/x-www-form-urlencoded\r\ntransfer-encoding: chunked\r\n\r\n${chunk.repeat(3)}0\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
  });
});

describe('what is hardly HTTP is answered in JSON', () => {
  test.each([
    ['garbage', 'garbage\r\n\r\n', 400],
    ['a 1 MB url', `GET /${'a'.repeat(1_000_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 431],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
      400,
    ],
    [
      'length and chunks',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
      400,
    ],
    ['no host', 'GET /api/health HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
    [
      'a host of nonsense',
      'GET /api/health HTTP/1.1\r\nhost: a b@c/\r\nconnection: close\r\n\r\n',
      400,
    ],
    [
      'backslashes',
      'GET /api/proxy/staff\\teams HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
      400,
    ],
    ['a bare NUL', 'GET /\0 HTTP/1.1\r\nhost: x\r\n\r\n', 400],
  ])('%s', async (_what, bytes, status) => {
    const answer = await sendRaw(server.port, bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(JSON.parse(body)).toEqual({ error: expect.any(String) as string });
    expect(head.toLowerCase()).toContain('content-type: application/json');
    expect(head.toLowerCase()).toContain("default-src 'none'");
  });

  test('and the server goes on', async () => {
    expect((await send(server.port, '/api/health')).status).toBe(200);
  });
});

describe('security headers', () => {
  const POLICY = [
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
  ];

  test.each([
    ['a page', '/chat', 200],
    ['an asset', '/assets/main-abc123.js', 200],
    ['a missing asset', '/assets/gone.js', 404],
    ['an answer', '/api/health', 200],
    ['a refusal', '/api/proxy/staff/teams', 401],
    ['a 404', '/api/nothing', 404],
    ['a redirect', '/api/auth/signin', 302],
  ])('stand on %s', async (_what, path, status) => {
    const { headers, ...answer } = await send(server.port, path);
    expect(answer.status).toBe(status);
    const policy = String(headers['content-security-policy']).split('; ');
    expect(policy).toEqual(expect.arrayContaining(POLICY));
    expect(policy.join()).not.toContain('unsafe');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(headers['permissions-policy']).toContain('camera=()');
    expect(headers['strict-transport-security']).toBeUndefined();
    expect(headers['x-powered-by']).toBeUndefined();
  });

  test('stand on the stream as well', async () => {
    const client = createCookieClient(server.port);
    await client.signIn();
    const { token } = (await client.send('/api/realtime/token')).json();
    const cancel = new AbortController();
    const stream = await fetch(`http://127.0.0.1:${server.port}/api/realtime/stream`, {
      headers: { authorization: `Bearer ${String(token)}` },
      signal: cancel.signal,
    });
    expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(stream.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(stream.headers.get('x-content-type-options')).toBe('nosniff');
    cancel.abort();
  });
});
