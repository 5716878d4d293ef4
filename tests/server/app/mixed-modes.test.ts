import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { parseConfig } from '#server/config/config.ts';
import { startServer } from '#server/app/main.ts';
import {
  GRANTED,
  GRANTED_TOKEN,
  type HostedServer,
  KEYS,
  startHostedServer,
  toTeams,
} from '#tests/support/scenes/hosted-server.ts';
import { answerJson } from '#tests/support/services/product-api.ts';
import {
  createRealtimeClient,
  type RealtimeClient,
  toMessage,
} from '#tests/support/server/realtime-client.ts';
import { type CookieClient, createCookieClient } from '#tests/support/server/web-client.ts';
import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';

const TEAMS = '/api/proxy/staff/teams';
const TOKEN = '/api/realtime/token';
const ROOM = 'chat.c_001.team';

let backend: HostedServer;
let server: WebServer;
beforeAll(async () => {
  backend = await startHostedServer();
});
afterAll(() => backend.dispose());
afterEach(() => server.dispose());

/** The output of a second process on the same folder. */
const startSecond = async (settings: Readonly<Record<string, string>>): Promise<string> => {
  const config = parseConfig({ ...settings, PORT: '0', DATA_DIR: server.dataDir });
  if (!config.ok) throw new Error(config.error.join('\n'));
  const second = await startServer(config.value, { dist: server.dist });
  if (second.ok) await second.value.close();
  return second.ok ? 'started' : second.error;
};

describe('staff data hosted, realtime embedded', () => {
  const toSettings = () => ({ API_BASE_URL: backend.api.url, AUTH_SECRET: 's'.repeat(32) });

  const openWire = async (client: CookieClient): Promise<RealtimeClient> => {
    const { token } = (await client.send(TOKEN)).json();
    return createRealtimeClient(server.port, String(token));
  };

  test('clients come from the product API, messages are stored here', async () => {
    server = await startWebServer(toSettings());
    const client = await backend.signIn(server.port);
    expect((await client.send('/api/config')).json()).toMatchObject({
      engine: 'embedded',
      demo: false,
    });
    expect((await client.send(TEAMS)).json()).toEqual(toTeams('c_001', 'c_002'));
    const wire = await openWire(client);
    const stream = await wire.stream();
    await stream.until('a beat', ({ beats }) => beats.length > 0);
    expect((await wire.publish(ROOM, toMessage('hello'))).status).toBe(200);
    await stream.until('the message', ({ entries }) => entries.length === 1);
    expect(stream.entries[0]).toMatchObject({ publisher: 'u_ana', channel: ROOM });
    stream.stop();
    server = await server.restart();
    const later = await openWire(client);
    const kept = await later.history({ channel: ROOM });
    expect(kept.map(({ message }) => message.text)).toEqual(['hello']);
  });

  test('a session that the product API ended also loses its stream', async () => {
    server = await startWebServer(toSettings());
    const client = await backend.signIn(server.port);
    const stream = await (await openWire(client)).stream();
    await stream.until('a beat', ({ beats }) => beats.length > 0);
    backend.api.answer = answerJson({}, 401);
    expect((await client.send(TEAMS)).status).toBe(401);
    await stream.until('its end', ({ isEnded }) => isEnded());
  });

  test('a person whom the product API no longer accepts gets no token', async () => {
    server = await startWebServer(toSettings());
    const client = await backend.signIn(server.port);
    // Nothing but the engine is asked from here on, as by a page that was changed.
    backend.api.answer = answerJson({}, 401);
    expect((await client.send(TOKEN)).status).toBe(401);
    expect((await client.send('/api/auth/session')).json()).toEqual({});
  });

  test('a token does not depend on a product API that is down', async () => {
    server = await startWebServer(toSettings());
    const client = await backend.signIn(server.port);
    backend.api.answer = answerJson({}, 503);
    expect((await client.send(TOKEN)).status).toBe(200);
    // Nor on one that does not answer.
    const other = await backend.signIn(server.port);
    backend.api.answer = () => undefined;
    expect((await other.send(TOKEN)).status).toBe(200);
    // The token did not wait until the question was given up, which is logged.
    expect(server.log()).toContain('"status":503');
    expect(server.log()).not.toContain('"reason":"timeout"');
  });

  test('a late refusal by the product API ends the session, too', async () => {
    server = await startWebServer(toSettings());
    const client = await backend.signIn(server.port);
    const { promise: given, resolve: answerLate } = Promise.withResolvers<void>();
    backend.api.answer = (incoming, outgoing) =>
      void given.then(() => answerJson({}, 401)(incoming, outgoing));
    expect((await client.send(TOKEN)).status).toBe(200);
    answerLate();
    await expect
      .poll(async () => (await client.send('/api/auth/session')).json(), { interval: 100 })
      .toEqual({});
  });

  test('an access token of the former demo mode is invalid, even under the same secret', async () => {
    const { AUTH_SECRET } = toSettings();
    server = await startWebServer({ AUTH_SECRET });
    const client = createCookieClient(server.port);
    await client.signIn();
    const { token } = (await client.send(TOKEN)).json();
    expect(
      (await createRealtimeClient(server.port, String(token)).publish(ROOM, toMessage('a'))).status,
    ).toBe(200);
    server = await server.restart({ ...toSettings() });
    const wire = createRealtimeClient(server.port, String(token));
    expect((await wire.publish(ROOM, toMessage('b'))).status).toBe(401);
  });

  test('a session of the former demo mode is invalid, even under the same secret', async () => {
    const { AUTH_SECRET } = toSettings();
    server = await startWebServer({ AUTH_SECRET });
    const client = createCookieClient(server.port);
    expect((await client.signIn()).status).toBe(200);
    expect((await client.send(TOKEN)).status).toBe(200);
    const trial = server;
    server = await startWebServer(toSettings());
    const later = createCookieClient(server.port);
    for (const [name, value] of client.cookies) later.cookies.set(name, value);
    expect((await later.send(TOKEN)).status).toBe(401);
    expect((await later.send(TEAMS)).status).toBe(401);
    await trial.dispose();
  });

  test('demo messages in the data folder are reported before real clients show them', async () => {
    const warning = 'clients whose ids are those of demo clients show demo messages';
    server = await startWebServer();
    server = await server.restart(toSettings());
    expect(server.log()).toContain(warning);
    await server.dispose();
    server = await startWebServer(toSettings());
    expect(server.log()).not.toContain(warning);
  });

  test('the data folder belongs to one process', async () => {
    server = await startWebServer(toSettings());
    expect(await startSecond(toSettings())).toContain('in use by another Replay Desk');
  });
});

describe('staff data embedded, realtime hosted', () => {
  const toSettings = (more: Readonly<Record<string, string>> = {}) => {
    const settings = backend.toSettings({ PUBNUB_SECRET_KEY: KEYS.secretKey, ...more });
    const { API_BASE_URL: _api, AUTH_SECRET: _secret, ...keys } = settings;
    return keys;
  };

  test('demo accounts sign in and get access to the rooms of the demo clients', async () => {
    server = await startWebServer(toSettings({ DEMO: 'true' }));
    backend.engine.answer = GRANTED;
    const client = createCookieClient(server.port);
    expect((await client.signIn()).status).toBe(200);
    expect((await client.send('/api/config')).json()).toMatchObject({
      engine: 'hosted',
      demo: true,
      subscribeKey: KEYS.subscribeKey,
    });
    expect((await client.send(TOKEN)).json()).toMatchObject({
      token: GRANTED_TOKEN,
      uid: 'u_producer',
    });
    const [pattern = ''] = Object.keys(backend.lastGrant().permissions.patterns.channels ?? {});
    expect('chat.c_015.general').toMatch(new RegExp(pattern));
    expect('chat.c_017.general').not.toMatch(new RegExp(pattern));
    expect((await client.send('/api/realtime/history')).status).toBe(404);
  });

  test('without demo accounts nobody can sign in, and the log names the remedy', async () => {
    server = await startWebServer(toSettings());
    expect((await createCookieClient(server.port).signIn()).status).toBe(401);
    expect(server.log()).toContain('nobody can sign in: set API_BASE_URL, or DEMO=true');
  });

  test('a sign-out survives a restart, and the folder belongs to one process', async () => {
    server = await startWebServer(toSettings({ DEMO: 'true' }));
    const client = createCookieClient(server.port);
    await client.signIn();
    const copy = new Map(client.cookies);
    await client.post('/api/auth/signout');
    expect(await startSecond(toSettings())).toContain('in use by another Replay Desk');
    server = await server.restart();
    const thief = createCookieClient(server.port);
    for (const [name, value] of copy) thief.cookies.set(name, value);
    expect((await thief.send(TOKEN)).status).toBe(401);
  });
});
