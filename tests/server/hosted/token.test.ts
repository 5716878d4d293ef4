import PubNub from 'pubnub';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import {
  GRANTED,
  GRANTED_TOKEN,
  type GrantBody,
  grantOf,
  type HostedServer,
  KEYS,
  startHostedServer,
  toTeams,
} from '#tests/support/scenes/hosted-server.ts';
import { hasPamSignature } from '#tests/support/services/pam-signature.ts';
import { answerJson, type ProductApi } from '#tests/support/services/product-api.ts';
import type { CookieClient } from '#tests/support/server/web-client.ts';
import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';

const TOKEN = '/api/realtime/token';
const MINUTE_MS = 60_000;

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

const grantedPattern = (): RegExp => {
  const patterns = Object.entries(backend.lastGrant().permissions.patterns.channels ?? {});
  expect(patterns).toHaveLength(1);
  expect(patterns[0]?.[1]).toBe(3);
  return new RegExp(patterns[0]?.[0] ?? '');
};

describe('the access token', () => {
  test('is granted to the user, for 15 minutes, and signed', async () => {
    const before = Date.now();
    const answer = (await client.send(TOKEN)).json();
    expect(answer).toMatchObject({ token: GRANTED_TOKEN, uid: 'u_ana' });
    expect(Number(answer['expires'])).toBeGreaterThanOrEqual(before + 15 * MINUTE_MS);
    expect(Number(answer['expires'])).toBeLessThanOrEqual(Date.now() + 15 * MINUTE_MS);
    expect(engine.received).toHaveLength(1);
    const { method = '', url = '', body = '' } = engine.received[0] ?? {};
    expect(method).toBe('POST');
    expect(url).toMatch(
      /^\/v1\/v3\/pam\/sub-c-1\/grant\?timestamp=\d{10}&signature=v2\.[\w-]{43}$/,
    );
    expect(hasPamSignature({ method, url: url.replace('/v1', ''), body }, KEYS)).toBe(true);
    expect(backend.lastGrant()).toMatchObject({ ttl: 15, permissions: { uuid: 'u_ana' } });
  });

  test("is signed like a request of the service's own library", async () => {
    const origin = engine.url.replace('http://', '').replace('/v1', '');
    const pubnub = new PubNub({ ...KEYS, userId: 'server', origin, ssl: false });
    const token = await pubnub.grantToken({
      ttl: 15,
      authorized_uuid: 'u_ana',
      patterns: { channels: { '^a$': { read: true, write: true } } },
    });
    pubnub.destroy();
    expect(token).toBe(GRANTED_TOKEN);
    const { method = '', url = '', body = '' } = engine.received[0] ?? {};
    expect(hasPamSignature({ method, url, body }, KEYS)).toBe(true);
    const theirs = JSON.parse(body) as GrantBody;
    expect(theirs).toMatchObject({ ttl: 15, permissions: { uuid: 'u_ana' } });
    expect(theirs.permissions.patterns.channels).toEqual({ '^a$': 3 });
  });

  test("is valid for the rooms of the user's clients only", async () => {
    await client.send(TOKEN);
    expect(api.received.map(({ url }) => url)).toEqual(['/v1/staff/teams']);
    const pattern = grantedPattern();
    for (const name of ['chat.c_001.team', 'chat.c_002.producers', 'chat.c_001.*']) {
      expect(name).toMatch(pattern);
    }
    const foreign = ['chat.c_003.team', 'chat.c_00.team', 'chat.c_0011.team', 'chat.*', '*'];
    const malformed = ['chatXc_001Xteam', 'xchat.c_001.team', 'chat.c_001.teams', 'chat.c_001.'];
    for (const name of [...foreign, ...malformed]) expect(name).not.toMatch(pattern);
  });

  test('is short for 1,000 clients', async () => {
    const ids = Array.from({ length: 1000 }, (_, index) => `c_${String(index).padStart(4, '0')}`);
    api.answer = answerJson(toTeams(...ids));
    const answer = await client.send(TOKEN);
    expect(answer.status).toBe(200);
    const pattern = grantedPattern();
    expect(pattern.source.length).toBeLessThan(2500);
    expect(answer.json()['channels']).toHaveLength(1002);
    expect(answer.json()['channels']).toContain('chat.c_0999.*');
    for (const id of ids) expect(`chat.${id}.general`).toMatch(pattern);
    expect('chat.c_1000.general').not.toMatch(pattern);
  });

  test('is refused for more clients than a token can name, and the log gives the reason', async () => {
    const ids = Array.from({ length: 1000 }, () => crypto.randomUUID());
    api.answer = answerJson(toTeams(...ids));
    expect((await client.send(TOKEN)).status).toBe(502);
    expect(engine.received).toHaveLength(0);
    expect(server.log()).toContain('too many clients for one access token');
  });

  test('is refused if it leaves no space for the channels', async () => {
    engine.answer = grantOf('x'.repeat(31_700));
    expect((await client.send(TOKEN)).status).toBe(502);
    engine.answer = grantOf('x'.repeat(31_000));
    expect((await client.send(TOKEN)).status).toBe(200);
  });

  test('opens no room for a user without clients', async () => {
    api.answer = answerJson([]);
    expect((await client.send(TOKEN)).status).toBe(200);
    expect(backend.lastGrant().permissions.patterns).toEqual({});
  });

  test('ends no later than the session', async () => {
    const short = await startWebServer(
      backend.toSettings({ PUBNUB_SECRET_KEY: KEYS.secretKey, SESSION_MAX_AGE: '90' }),
    );
    const holder = await backend.signIn(short.port);
    const { expires } = (await holder.send(TOKEN)).json();
    expect(Number(expires)).toBeLessThanOrEqual(Date.now() + 90_000);
    expect(backend.lastGrant().ttl).toBe(2);
    await short.dispose();
  });

  test('is empty if the keyset has no Access Manager', async () => {
    const open = await startWebServer(backend.toSettings());
    const holder = await backend.signIn(open.port);
    api.answer = answerJson(toTeams('c_001'));
    const answer = (await holder.send(TOKEN)).json();
    const rooms = ['chat.c_001.team', 'chat.c_001.general', 'chat.c_001.producers'];
    const channels = [...rooms, 'own.u_ana', 'staff.desk'];
    expect(answer).toMatchObject({ token: '', uid: 'u_ana', channels });
    expect(Number(answer['expires'])).toBeGreaterThan(Date.now());
    expect(engine.received).toHaveLength(0);
    await open.dispose();
  });
});
