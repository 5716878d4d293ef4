import type { IncomingMessage } from 'node:http';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import {
  answerAsRecorded,
  GRANTED,
  GRANTED_TOKEN,
  type HostedServer,
  startHostedServer,
} from '#tests/support/scenes/hosted-server.ts';
import { answerJson, type ProductApi } from '#tests/support/services/product-api.ts';
import { RECORDED_SERVER } from '#tests/support/pubnub/recorded.ts';
import { RECORDED_REFUSALS } from '#tests/support/pubnub/recorded-refusals.ts';
import { type CookieClient, createCookieClient, send } from '#tests/support/server/web-client.ts';
import type { WebServer } from '#tests/support/server/web-server.ts';

const TOKEN = '/api/realtime/token';

let backend: HostedServer;
let api: ProductApi;
let engine: ProductApi;
let server: WebServer;
let client: CookieClient;

beforeAll(async () => {
  backend = await startHostedServer();
  ({ api, engine, server } = backend);
});
afterAll(() => backend.dispose());
beforeEach(async () => {
  client = await backend.signIn();
  engine.answer = GRANTED;
  engine.received.length = 0;
});

describe('an access token is refused', () => {
  test('without a session', async () => {
    expect((await send(server.port, TOKEN)).status).toBe(401);
    expect(engine.received).toHaveLength(0);
  });

  test('after the sign-out, with a copied cookie', async () => {
    const copy = createCookieClient(server.port);
    for (const [name, value] of client.cookies) copy.cookies.set(name, value);
    await client.post('/api/auth/signout');
    expect((await copy.send(TOKEN)).status).toBe(401);
    expect(engine.received).toHaveLength(0);
  });

  test('for another method', async () => {
    const answer = await client.send(TOKEN, { method: 'POST' });
    expect(answer.status).toBe(405);
    expect(engine.received).toHaveLength(0);
  });

  test('for a session with too many requests', async () => {
    const statuses = new Set<number>();
    for (let n = 0; n < 30; n += 1) statuses.add((await client.send(TOKEN)).status);
    expect([...statuses]).toEqual([200]);
    const refused = await client.send(TOKEN);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const other = await backend.signIn(server.port, 'u_bo');
    expect((await other.send(TOKEN)).status).toBe(200);
  });

  test('for a uid that the service does not support', async () => {
    const holder = await backend.signIn(server.port, 'u'.repeat(93));
    expect((await holder.send(TOKEN)).status).toBe(502);
    expect(engine.received).toHaveLength(0);
  });

  test.each([
    ['refuses', answerAsRecorded(RECORDED_REFUSALS.wrongSubscribeKey), 'granted no access'],
    ['finds fault', answerAsRecorded(RECORDED_SERVER.grantOfNoTime), 'granted no access'],
    ['fails', answerJson({}, 500), 'granted no access'],
    ['says nothing usable', answerJson({ data: {} }), 'gave no usable answer'],
    [
      'is answered for by a page',
      answerJson('<html>', 200, { 'content-type': 'text/html' }),
      'gave no usable answer',
    ],
    ['hangs up', (incoming: IncomingMessage) => incoming.socket.destroy(), 'cannot be reached'],
  ])('if the service %s', async (_what, listener, words) => {
    engine.answer = listener;
    const answer = await client.send(TOKEN);
    expect(answer.status).toBe(502);
    expect(answer.json()).toEqual({ error: `The realtime service ${words}` });
  });

  test('with a log line that quotes the service', async () => {
    engine.answer = answerAsRecorded(RECORDED_SERVER.grantOfNoTime);
    await client.send(TOKEN);
    expect(server.log()).toContain('Invalid ttl: Range should be 1 to 43200 minute(s).');
  });

  test('if the product API fails', async () => {
    api.answer = answerJson({}, 500);
    expect((await client.send(TOKEN)).status).toBe(502);
    expect(engine.received).toHaveLength(0);
  });

  test('once the product API ended the session', async () => {
    api.answer = answerJson({}, 401);
    expect((await client.send(TOKEN)).status).toBe(401);
    expect((await client.send('/api/auth/session')).json()).toEqual({});
  });
});

test('no secret and no token is ever logged', () => {
  for (const secret of ['sec-c-1', GRANTED_TOKEN, 'upstream-1', 'signature=']) {
    expect(server.log()).not.toContain(secret);
  }
});
