import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { type CookieClient, createCookieClient } from '#tests/support/server/web-client.ts';
import { startHostedServer } from '#tests/support/scenes/hosted-server.ts';
import {
  type ListedSession,
  endSession,
  listSessions,
} from '#tests/support/server/sessions-client.ts';
import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';
const TEAMS = '/api/proxy/staff/teams';

let server: WebServer;

beforeEach(async () => {
  server = await startWebServer();
});
afterEach(() => server.dispose());

const signIn = async (agent: string, email?: string, password?: string): Promise<CookieClient> => {
  const client = createCookieClient(server.port, { 'user-agent': agent });
  expect((await client.signIn(email, password)).status).toBe(200);
  return client;
};

const isOpen = async (client: CookieClient): Promise<boolean> =>
  (await client.send(TEAMS)).status === 200;

const findOther = (sessions: readonly ListedSession[]): ListedSession => {
  const other = sessions.find(({ current }) => !current);
  if (other === undefined) throw new Error('no other session is listed');
  return other;
};

test('a person sees every session with its device, and which one is the current one', async () => {
  const before = Date.now();
  const desktop = await signIn(CHROME);
  await signIn(SAFARI);
  await signIn(CHROME, 'team@example.com', 'teammate');
  const sessions = await listSessions(desktop);
  expect(new Set(sessions.map(({ device, current }) => `${device} ${current}`))).toEqual(
    new Set(['Chrome on Windows true', 'Safari on iPhone false']),
  );
  for (const { since, lastSeen } of sessions) {
    expect(since).toBeGreaterThanOrEqual(Math.floor(before / 1000) * 1000);
    expect(lastSeen).toBeLessThanOrEqual(Date.now());
  }
  const text = (await desktop.send('/api/sessions')).text;
  const sql = new DatabaseSync(join(server.dataDir, 'desk.sqlite'), { readOnly: true });
  const sids = sql.prepare('SELECT sid FROM open_session').all();
  sql.close();
  expect(sids).toHaveLength(3);
  for (const { sid } of sids) expect(text).not.toContain(String(sid));
});

test('ending one ends its requests, its access token and its open stream at once', async () => {
  const desktop = await signIn(CHROME);
  const phone = await signIn(SAFARI);
  const { token } = (await phone.send('/api/realtime/token')).json();
  const headers = { authorization: `Bearer ${String(token)}` };
  const stream = await fetch(`http://127.0.0.1:${server.port}/api/realtime/stream`, { headers });
  expect(stream.status).toBe(200);
  const other = findOther(await listSessions(desktop));
  const ended = await endSession(desktop, `/${other.handle}`);
  expect([ended.status, ended.json()]).toEqual([200, { ended: 1 }]);
  await stream.text();
  expect(await isOpen(phone)).toBe(false);
  expect((await phone.send('/api/realtime/history', { headers })).status).toBe(401);
  expect(await isOpen(desktop)).toBe(true);
  expect(await listSessions(desktop)).toHaveLength(1);
  server = await server.restart();
  expect(await isOpen(phone)).toBe(false);
  expect(await listSessions(desktop)).toHaveLength(1);
});

test('ending all others leaves this one', async () => {
  const desktop = await signIn(CHROME);
  const others = [await signIn(SAFARI), await signIn(CHROME)];
  const stranger = await signIn(CHROME, 'team@example.com', 'teammate');
  expect((await endSession(desktop, '?others')).json()).toEqual({ ended: 2 });
  for (const other of others) expect(await isOpen(other)).toBe(false);
  expect(await isOpen(desktop)).toBe(true);
  expect(await isOpen(stranger)).toBe(true);
  expect((await endSession(desktop, '?others')).json()).toEqual({ ended: 0 });
});

test('a signed-out session is no longer listed', async () => {
  const desktop = await signIn(CHROME);
  const phone = await signIn(SAFARI);
  await phone.post('/api/auth/signout');
  expect(await listSessions(desktop)).toHaveLength(1);
});

test('ending a session needs the owner’s session and token, and is not possible for the current one', async () => {
  const desktop = await signIn(CHROME);
  const phone = await signIn(SAFARI);
  const stranger = await signIn(CHROME, 'team@example.com', 'teammate');
  const { handle } = findOther(await listSessions(desktop));
  const path = `/api/sessions/${handle}`;
  const csrf = { 'x-csrf-token': await desktop.getCsrfToken() };
  const statuses = [
    await createCookieClient(server.port).send(path, { method: 'DELETE' }),
    await desktop.send(path, { method: 'DELETE' }),
    await desktop.send(path, { method: 'DELETE', headers: { 'x-csrf-token': 'forged' } }),
    await desktop.send(path, {
      method: 'DELETE',
      headers: { ...csrf, origin: 'https://evil.example' },
    }),
    await endSession(stranger, `/${handle}`),
    await endSession(phone, `/${handle}`),
    await endSession(desktop, ''),
    await desktop.send(path, { method: 'POST' }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([401, 403, 403, 403, 404, 404, 400, 405]);
  expect(await isOpen(phone)).toBe(true);
  expect((await createCookieClient(server.port).send('/api/sessions')).status).toBe(401);
});

test('where instances share nothing, the answer states that sessions are not listed', async () => {
  const hosted = await startHostedServer();
  const client = await hosted.signIn();
  expect((await client.send('/api/sessions')).json()).toEqual({ available: false, sessions: [] });
  expect((await endSession(client, '?others')).status).toBe(501);
  await hosted.dispose();
});
