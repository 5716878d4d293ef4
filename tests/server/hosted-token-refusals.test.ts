import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import {
  GRANTED,
  GRANTED_TOKEN,
  type HostedDesk,
  startHostedDesk,
} from '#tests/support/hosted-desk.ts';
import { answerJson, type ProductApi } from '#tests/support/product-api.ts';
import { type CookieClient, createCookieClient, send } from '#tests/support/web-client.ts';
import type { WebServer } from '#tests/support/web-server.ts';

const TOKEN = '/api/realtime/token';

let desk: HostedDesk;
let api: ProductApi;
let engine: ProductApi;
let server: WebServer;
let client: CookieClient;

beforeAll(async () => {
  desk = await startHostedDesk();
  ({ api, engine, server } = desk);
});
afterAll(() => desk.dispose());
beforeEach(async () => {
  client = await desk.signIn();
  engine.answer = GRANTED;
  engine.received.length = 0;
});

describe('no access token', () => {
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

  test('by another method', async () => {
    const answer = await client.send(TOKEN, { method: 'POST' });
    expect(answer.status).toBe(405);
    expect(engine.received).toHaveLength(0);
  });

  test('for a session that asks again and again', async () => {
    const statuses = new Set<number>();
    for (let n = 0; n < 30; n += 1) statuses.add((await client.send(TOKEN)).status);
    expect([...statuses]).toEqual([200]);
    const refused = await client.send(TOKEN);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const other = await desk.signIn(server.port, 'u_bo');
    expect((await other.send(TOKEN)).status).toBe(200);
  });

  test('for a uid the service cannot know', async () => {
    const holder = await desk.signIn(server.port, 'u'.repeat(93));
    expect((await holder.send(TOKEN)).status).toBe(502);
    expect(engine.received).toHaveLength(0);
  });

  test.each([
    ['refuses', answerJson({ message: 'Invalid signature' }, 403)],
    ['fails', answerJson({}, 500)],
    ['says nothing usable', answerJson({ data: {} })],
    ['answers a page', answerJson('<html>', 200, { 'content-type': 'text/html' })],
  ])('when the service %s', async (_what, listener) => {
    engine.answer = listener;
    const answer = await client.send(TOKEN);
    expect(answer.status).toBe(502);
    expect(answer.json()).toEqual({ error: 'The realtime service granted no access' });
  });

  test('when the product API fails', async () => {
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
