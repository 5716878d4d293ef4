import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { publicConfigSchema } from '#domain/schemas/config.ts';
import { createOrigins } from '#server/http/origins.ts';
import { createCookieClient, FORM, send } from '#tests/support/server/web-client.ts';
import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';

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

test('accepts its own address, however HOST spells it', async () => {
  const onIpv6 = await startWebServer({
    HOST: '::FFFF:127.0.0.1',
    PUBLIC_URL: 'https://desk.example.com',
  });
  // A browser writes it in the short form.
  const { host } = new URL(`http://[::FFFF:127.0.0.1]:${onIpv6.port}`);
  expect((await send(onIpv6.port, '/chat', { headers: { host } })).status).toBe(200);
  const foreign = { host: `[2001:db8::1]:${onIpv6.port}` };
  expect((await send(onIpv6.port, '/chat', { headers: foreign })).status).toBe(421);
  await onIpv6.dispose();
  const named = createOrigins('http://localhost:4600', 4600, 'Desk.Local');
  expect(['desk.local', 'DESK.local:4600'].map((name) => named.isServed(name))).toEqual([
    true,
    true,
  ]);
});

test('the public config contains what the page expects and nothing else', async () => {
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

test('the realtime engine is mounted and requires a session', async () => {
  const client = createCookieClient(server.port);
  expect((await client.send('/api/realtime/token')).status).toBe(401);
  await client.signIn();
  const token = (await client.send('/api/realtime/token')).json();
  expect(token).toMatchObject({
    token: expect.any(String) as string,
    expires: expect.any(Number) as number,
  });
});

describe('bodies', () => {
  const post = (body: string, headers: Readonly<Record<string, string>> = {}) =>
    send(server.port, '/api/auth/_log', { method: 'POST', headers: { ...FORM, ...headers }, body });

  test('are accepted with 64 kB', async () => {
    expect((await post(`code=LONG&details=${'x'.repeat(65_000)}`)).status).toBe(200);
  });
});
