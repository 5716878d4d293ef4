import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createKnownClients } from '#server/hosted/known-clients.ts';
import {
  GRANTED,
  GRANTED_TOKEN,
  type HostedServer,
  KEYS,
  startHostedServer,
  toTeams,
} from '#tests/support/scenes/hosted-server.ts';
import { answerJson } from '#tests/support/services/product-api.ts';
import { type CookieClient, createCookieClient } from '#tests/support/server/web-client.ts';
import { startWebServer } from '#tests/support/server/web-server.ts';

const TOKEN = '/api/realtime/token';
const HOUR_MS = 3_600_000;

let backend: HostedServer;
let client: CookieClient;
beforeEach(async () => {
  backend = await startHostedServer();
  client = await backend.signIn();
  backend.engine.answer = GRANTED;
  expect((await client.send(TOKEN)).status).toBe(200);
});
afterEach(() => backend.dispose());

describe('while the product API is down', () => {
  test.each([
    ['fails', answerJson({}, 503)],
    ['is busy', answerJson({}, 429)],
    ['is answered for by a page', answerJson('<html>', 200, { 'content-type': 'text/html' })],
  ])('a reloaded page continues with its rooms when the API %s', async (_how, listener) => {
    backend.api.answer = listener;
    backend.engine.received.length = 0;
    const answer = await client.send(TOKEN);
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ token: GRANTED_TOKEN, uid: 'u_ana' });
    expect(answer.json()['channels']).toHaveLength(8);
    expect(Object.keys(backend.lastGrant().permissions.patterns.channels ?? {})).toHaveLength(1);
    expect(backend.server.log()).toContain('product API failed');
  });

  test('a reloaded page continues when the API refuses connections', async () => {
    await backend.api.close();
    expect((await client.send(TOKEN)).status).toBe(200);
  });

  test('a session without a list gets the reason', async () => {
    const other = await backend.signIn(backend.server.port, 'u_bo');
    backend.api.answer = answerJson({}, 503);
    const answer = await other.send(TOKEN);
    expect(answer.status).toBe(502);
    expect(answer.json()).toEqual({ error: 'The product API failed' });
    // RFC 9209: unlike the 502 of a proxy in front, this server answered.
    expect(answer.headers['proxy-status']).toBe('replay-desk; error=destination_unavailable');
  });

  test('no user gets the rooms of another one', async () => {
    const other = await backend.signIn(backend.server.port, 'u_bo');
    backend.api.answer = answerJson(toTeams('c_009'));
    await other.send(TOKEN);
    backend.api.answer = answerJson({}, 503);
    expect((await other.send(TOKEN)).json()['channels']).toContain('chat.c_009.team');
    expect((await client.send(TOKEN)).json()['channels']).not.toContain('chat.c_009.team');
  });

  test('a list from before the last answer is never used', async () => {
    backend.api.answer = answerJson(toTeams('c_002'));
    await client.send(TOKEN);
    backend.api.answer = answerJson({}, 503);
    expect((await client.send(TOKEN)).json()['channels']).not.toContain('chat.c_001.team');
  });
});

describe('a product API that answers', () => {
  test.each([403, 404])('ends the grants with %d, even once it is down', async (status) => {
    backend.api.answer = answerJson({}, status);
    expect((await client.send(TOKEN)).status).toBe(502);
    backend.api.answer = answerJson({}, 503);
    expect((await client.send(TOKEN)).status).toBe(502);
  });

  test('ends the session with a 401', async () => {
    backend.api.answer = answerJson({}, 401);
    expect((await client.send(TOKEN)).status).toBe(401);
    backend.api.answer = answerJson({}, 503);
    expect((await client.send(TOKEN)).status).toBe(401);
  });
});

test('a copied cookie gets no access after the sign-out', async () => {
  const copy = createCookieClient(backend.server.port);
  for (const [name, value] of client.cookies) copy.cookies.set(name, value);
  await client.post('/api/auth/signout');
  backend.api.answer = answerJson({}, 503);
  expect((await copy.send(TOKEN)).status).toBe(401);
});

test('another instance has a separate list', async () => {
  const other = await startWebServer(backend.toSettings({ PUBNUB_SECRET_KEY: KEYS.secretKey }));
  const elsewhere = createCookieClient(other.port);
  for (const [name, value] of client.cookies) elsewhere.cookies.set(name, value);
  backend.api.answer = answerJson({}, 503);
  expect((await elsewhere.send(TOKEN)).status).toBe(502);
  backend.api.answer = answerJson(toTeams('c_001'));
  expect((await elsewhere.send(TOKEN)).status).toBe(200);
  backend.api.answer = answerJson({}, 503);
  expect((await elsewhere.send(TOKEN)).status).toBe(200);
  await other.dispose();
});

describe('the stored lists', () => {
  test('are valid for four hours', () => {
    let at = 0;
    const known = createKnownClients(() => at);
    known.keep('s_1', ['c_001']);
    at = 4 * HOUR_MS - 1;
    expect(known.find('s_1')).toEqual(['c_001']);
    at += 1;
    expect(known.find('s_1')).toBeUndefined();
  });

  test('are limited in number, and the oldest is dropped', () => {
    const known = createKnownClients(() => 0, 4);
    known.keep('s_1', ['c_001', 'c_002']);
    known.keep('s_2', ['c_001', 'c_002']);
    known.keep('s_1', ['c_001']);
    known.keep('s_3', ['c_001', 'c_002']);
    expect([known.find('s_1'), known.find('s_2'), known.find('s_3')?.length]).toEqual([
      ['c_001'],
      undefined,
      2,
    ]);
  });
});
