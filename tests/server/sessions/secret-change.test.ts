import { DatabaseSync } from 'node:sqlite';

import { afterEach, describe, expect, test } from 'vitest';

import { createDeniedSessions } from '#server/denied/denied-sessions.ts';
import { createSharedDeniedStore } from '#server/denied/shared-denials.ts';
import { migrate } from '#server/embedded/migrate.ts';
import { MIGRATIONS } from '#server/embedded/schema.ts';
import { createLog } from '#server/kernel/log.ts';
import { createSharedSessionStore } from '#server/sessions/shared-session-store.ts';
import { createSqlSessionStore } from '#server/sessions/sql-session-store.ts';
import { openSharedStore } from '#server/shared/shared-store.ts';
import { endSession, listSessions } from '#tests/support/server/sessions-client.ts';
import { startStoreServer } from '#tests/support/services/store-server.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { createCookieClient } from '#tests/support/server/web-client.ts';
import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';

const OLD = 'the secret of last year, long enough';
const NEW = 'the secret of this year, long enough';

describe('a session that was listed under the previous secret', () => {
  let server: WebServer;
  afterEach(() => server.dispose());

  test('is listed once, as the current one, and survives the end of all others', async () => {
    server = await startWebServer({ AUTH_SECRET: OLD });
    const client = createCookieClient(server.port);
    await client.signIn();
    const other = createCookieClient(server.port);
    await other.signIn();
    server = await server.restart({ AUTH_SECRET: NEW, AUTH_SECRET_PREVIOUS: OLD });
    const sessions = await listSessions(client);
    expect(sessions).toHaveLength(2);
    expect(sessions.filter(({ current }) => current)).toHaveLength(1);
    expect((await endSession(client, '?others')).json()).toEqual({ ended: 1 });
    expect((await client.send('/api/sessions')).status).toBe(200);
    expect((await other.send('/api/sessions')).status).toBe(401);
  });
});

test('sessions of a secret that was replaced alone are no longer listed', async () => {
  let server = await startWebServer({ AUTH_SECRET: OLD });
  for (let devices = 0; devices < 3; devices += 1) await createCookieClient(server.port).signIn();
  server = await server.restart({ AUTH_SECRET: NEW });
  const client = createCookieClient(server.port);
  await client.signIn();
  expect(await listSessions(client)).toMatchObject([{ current: true }]);
  await server.dispose();
});

test('sessions are listed again, and can be ended, once their secret is back', async () => {
  let server = await startWebServer({ AUTH_SECRET: OLD });
  const client = createCookieClient(server.port);
  await client.signIn();
  const other = createCookieClient(server.port);
  await other.signIn();
  server = await server.restart({ AUTH_SECRET: NEW });
  await createCookieClient(server.port).signIn();
  server = await server.restart({ AUTH_SECRET: OLD });
  expect(await listSessions(client)).toHaveLength(2);
  expect((await endSession(client, '?others')).json()).toEqual({ ended: 1 });
  expect((await other.send('/api/sessions')).status).toBe(401);
  await server.dispose();
});

test('sessions that an earlier version listed stay listed until the secret changes', async () => {
  const sql = new DatabaseSync(':memory:');
  for (const step of MIGRATIONS.slice(0, 3)) sql.exec(step);
  sql.exec('PRAGMA user_version = 3');
  sql
    .prepare("INSERT INTO open_session VALUES ('handle', 'u_1', 'sid', 'a device', ?1, ?1, ?2)")
    .run(Date.now(), Date.now() + 60_000);
  expect(migrate(sql)).toMatchObject({ ok: true });
  const count = async (secret: string, previous?: string): Promise<number> => {
    const deps = { sql, now: Date.now, log: createLog('silent'), mustBeInPlace: () => undefined };
    return (await createSqlSessionStore(deps, secret, previous).list('u_1')).length;
  };
  expect([await count(OLD), await count(NEW, OLD)]).toEqual([1, 1]);
  expect([await count(NEW), await count(OLD)]).toEqual([0, 1]);
  sql.close();
});

test('sessions that instances listed under the previous secret can still be ended', async () => {
  const store = await startStoreServer();
  const log = createLog('silent');
  const before = openSharedStore(store.url, OLD, log);
  const after = openSharedStore(store.url, NEW, log, OLD);
  await waitFor('the store', () => before.isUp() && after.isUp());
  const [old, current] = [before, after].map(createSharedSessionStore);
  if (old === undefined || current === undefined) throw new Error('two sides are needed');
  const times = { since: Date.now(), seen: Date.now(), until: Date.now() + 60_000 };
  const toRecord = (handle: string) => ({
    uid: 'u_ana',
    handle,
    mark: `mark of ${handle}`,
    device: 'Chrome on Windows',
    ...times,
  });
  await old.save(['laptop', 'phone'].map(toRecord));
  // The phone was used since.
  await current.save([{ ...toRecord('phone'), device: 'Safari on iPhone' }]);
  const list = async () =>
    (await current.list('u_ana')).map(({ handle, device }) => `${handle}: ${device}`).toSorted();
  expect(await list()).toEqual(['laptop: Chrome on Windows', 'phone: Safari on iPhone']);
  await current.remove('u_ana', ['laptop']);
  expect(await list()).toEqual(['phone: Safari on iPhone']);
  await current.remove('u_ana', ['phone']);
  expect(await list()).toEqual([]);
  for (const side of [before, after]) side.close();
  await store.dispose();
});

/** The settings of one instance before a change of the secret, and after each of its steps. */
const STEPS = [
  { AUTH_SECRET: OLD },
  { AUTH_SECRET: OLD, AUTH_SECRET_PREVIOUS: NEW },
  { AUTH_SECRET: NEW, AUTH_SECRET_PREVIOUS: OLD },
];

test('a form from an instance before a step is accepted by one after it, and the reverse', async () => {
  const servers = await Promise.all(STEPS.map((settings) => startWebServer(settings)));
  const post = async (from: number, to: number): Promise<number> => {
    const page = createCookieClient(servers[from]?.port ?? 0);
    const csrfToken = await page.getCsrfToken();
    const next = createCookieClient(servers[to]?.port ?? 0);
    for (const [name, value] of page.cookies) next.cookies.set(name, value);
    const fields = { email: 'producer@example.com', password: 'producer', csrfToken };
    return (await next.post('/api/auth/callback/credentials', fields)).status;
  };
  expect([await post(0, 1), await post(1, 0)]).toEqual([200, 200]);
  expect([await post(1, 2), await post(2, 1)]).toEqual([200, 200]);
  for (const server of servers) await server.dispose();
});

test('instances are changed to a new secret in two steps, and nobody is signed out', async () => {
  const servers = await Promise.all(STEPS.map((settings) => startWebServer(settings)));
  const cookies = new Map<string, string>();
  const use = async (server: WebServer | undefined): Promise<unknown> => {
    const client = createCookieClient(server?.port ?? 0);
    for (const [name, value] of cookies) client.cookies.set(name, value);
    if (cookies.size === 0) await client.signIn();
    const { user } = (await client.send('/api/auth/session')).json();
    for (const [name, value] of client.cookies) cookies.set(name, value);
    return user;
  };
  // While a step is under way, requests reach instances before and after it.
  for (const step of [0, 1, 0, 1, 2, 1, 2]) {
    expect(await use(servers[step])).toMatchObject({ uid: 'u_producer' });
  }
  for (const server of servers) await server.dispose();
});

test('a sign-out under the previous secret remains in effect under the new one', async () => {
  const store = await startStoreServer();
  const log = createLog('silent');
  const [before, after] = [OLD, NEW].map((secret) => {
    const shared = openSharedStore(store.url, secret, log);
    const denials = createSharedDeniedStore(shared, Date.now, log);
    return { shared, denied: createDeniedSessions(denials, { now: Date.now, log }) };
  });
  if (before === undefined || after === undefined) throw new Error('two sides are needed');
  await waitFor('the store', () => before.shared.isUp() && after.shared.isUp());
  await before.denied.add('sid-1', Date.now() + 60_000);
  expect(await after.denied.check('sid-1')).toBe(true);
  expect(await after.denied.check('sid-2')).toBe(false);
  for (const { shared, denied } of [before, after]) {
    await denied.close();
    shared.close();
  }
  await store.dispose();
});
