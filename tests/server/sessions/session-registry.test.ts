import { DatabaseSync } from 'node:sqlite';

import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { createCookies } from '#server/auth/cookies.ts';
import { createSessionSeal } from '#server/auth/session-seal.ts';
import { createSessions } from '#server/auth/sessions.ts';
import {
  createDeniedSessions,
  createSqlDeniedStore,
  noopDeniedStore,
} from '#server/denied/denied-sessions.ts';
import { migrate } from '#server/embedded/migrate.ts';
import type { ServerEnv } from '#server/http/answers.ts';
import { createLog } from '#server/kernel/log.ts';
import { SESSION_SEEN_EVERY_MS, SESSIONS_PER_PERSON_MAX } from '#server/kernel/limits.ts';
import { createSessionRegistry } from '#server/sessions/session-registry.ts';
import { createSqlSessionStore } from '#server/sessions/sql-session-store.ts';

const SECRET = 's'.repeat(32);
const IDLE_MS = 60_000;
const DAY_MS = 24 * 3600 * 1000;
const WEEK_MS = 7 * DAY_MS;
const MONTH_MS = 30 * DAY_MS;
const log = createLog('silent');

let at: number;
let sql: DatabaseSync;
const now = (): number => at;
const mustBeInPlace = (): void => undefined;

beforeEach(() => {
  // Close to today, because the cookie library refuses dates too far off.
  at = Math.floor(Date.now() / 1000) * 1000;
  sql = new DatabaseSync(':memory:');
  migrate(sql);
});
afterEach(() => sql.close());

test('a sign-in removes expired sessions from the stored list', async () => {
  const store = createSqlSessionStore({ sql, now, log, mustBeInPlace }, SECRET);
  const denied = createDeniedSessions(noopDeniedStore, { now, log });
  const registry = createSessionRegistry({ store, denied, idleMs: IDLE_MS, now, log });
  const request = new Request('http://localhost/');
  const signIn = (sid: string): Promise<unknown> =>
    registry.begin({ uid: 'u_1', sid, since: at, until: at + 3 * IDLE_MS }, request);
  await signIn('unused');
  at += IDLE_MS - 1;
  await signIn('used');
  expect(await store.list('u_1')).toHaveLength(2);
  at += 1;
  await signIn('new');
  const kept = (await store.list('u_1')).map(({ handle }) => handle);
  expect(kept.toSorted()).toEqual(['used', 'new'].map((sid) => registry.toHandle(sid)).toSorted());
  await registry.close();
  await denied.close();
});

test('a sign-in that replaces a session ends no other one at the limit', async () => {
  const store = createSqlSessionStore({ sql, now, log, mustBeInPlace }, SECRET);
  const denied = createDeniedSessions(noopDeniedStore, { now, log });
  const registry = createSessionRegistry({ store, denied, idleMs: IDLE_MS, now, log });
  const request = new Request('http://localhost/');
  const begin = (sid: string, replaced?: string) => {
    at += 1;
    return registry.begin({ uid: 'u_1', sid, since: at, until: at + WEEK_MS }, request, replaced);
  };
  for (let n = 0; n < SESSIONS_PER_PERSON_MAX; n += 1) expect(await begin(`s${n}`)).toEqual([]);
  expect(await begin('again', 's7')).toEqual([]);
  expect(await begin('beyond')).toHaveLength(2);
  await registry.close();
  await denied.close();
});

test('the last use of a session is stored after an outage of the store', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const stored = createSqlSessionStore({ sql, now, log, mustBeInPlace }, SECRET);
  const save = vi.fn<typeof stored.save>((records) => stored.save(records));
  const store = { ...stored, save };
  const denied = createDeniedSessions(noopDeniedStore, { now, log });
  const registry = createSessionRegistry({ store, denied, idleMs: DAY_MS, now, log });
  const request = new Request('http://localhost/');
  const session = { uid: 'u_1', sid: 'used', since: at, until: at + WEEK_MS };
  await registry.begin(session, request);
  at += DAY_MS - 1;
  save.mockRejectedValueOnce(new Error('down'));
  registry.recordUse(session, request);
  await vi.advanceTimersByTimeAsync(SESSION_SEEN_EVERY_MS);
  expect(save).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(SESSION_SEEN_EVERY_MS);
  expect(await stored.list('u_1')).toMatchObject([{ seen: at }]);
  vi.useRealTimers();
  await registry.close();
  await denied.close();
});

/** A server with this `SESSION_MAX_AGE` on the stored data. */
const start = (idleMs: number) => {
  const denied = createDeniedSessions(createSqlDeniedStore({ sql, now, log, mustBeInPlace }), {
    now,
    log,
  });
  const store = createSqlSessionStore({ sql, now, log, mustBeInPlace }, SECRET);
  const registry = createSessionRegistry({ store, denied, idleMs, now, log });
  const sessions = createSessions({
    seal: createSessionSeal('a secret of the tests, long enough to be one', 'embedded accounts'),
    denied,
    refusedUids: new Set(),
    registry,
    cookies: createCookies(false),
    idleMs,
    now,
  });
  const app = new Hono<ServerEnv>();
  app.post('/', async (c) => {
    await sessions.begin(c, { user: { uid: 'u_1' } });
    return c.text('');
  });
  app.get('/', async (c) => c.text((await sessions.readAndRenew(c))?.sid ?? ''));
  return { app, registry, close: () => registry.close() };
};
type Desk = ReturnType<typeof start>;

/** One request of a browser; returns its cookie, perhaps a new one, and the id of its session. */
const call = async ({ app }: Desk, method: 'GET' | 'POST', cookie = '') => {
  const answer = await app.request('/', { method, headers: { cookie } });
  const [set = ''] = answer.headers.getSetCookie();
  return { cookie: set.split(';')[0] || cookie, sid: await answer.text() };
};

const restart = async (desk: Desk, idleMs: number): Promise<Desk> => {
  await desk.close();
  return start(idleMs);
};

const endAll = async ({ registry }: Desk): Promise<void> =>
  registry.end('u_1', await registry.list('u_1'));

describe('after SESSION_MAX_AGE was raised', () => {
  test('a session that was used since stays ended as long as its cookie lasts', async () => {
    let desk = start(WEEK_MS);
    const begun = await call(desk, 'POST');
    at += 2 * DAY_MS;
    desk = await restart(desk, MONTH_MS);
    const { cookie } = await call(desk, 'GET', begun.cookie);
    desk = await restart(desk, MONTH_MS);
    await endAll(desk);
    at += 3 * WEEK_MS;
    desk = await restart(desk, MONTH_MS);
    expect((await call(desk, 'GET', cookie)).sid).toBe('');
    await desk.close();
  });

  test('a session that is renewed while it is being ended stays ended', async () => {
    let desk = start(WEEK_MS);
    const begun = await call(desk, 'POST');
    at += 2 * DAY_MS;
    desk = await restart(desk, MONTH_MS);
    const listed = await desk.registry.list('u_1');
    const { cookie } = await call(desk, 'GET', begun.cookie);
    await desk.registry.end('u_1', listed);
    at += 3 * WEEK_MS;
    desk = await restart(desk, MONTH_MS);
    expect((await call(desk, 'GET', cookie)).sid).toBe('');
    await desk.close();
  });

  test('a session in use stays in the list', async () => {
    let desk = start(WEEK_MS);
    let { cookie } = await call(desk, 'POST');
    at += 2 * DAY_MS;
    desk = await restart(desk, MONTH_MS);
    for (let week = 0; week < 4; week += 1) {
      ({ cookie } = await call(desk, 'GET', cookie));
      // Writes the last use, as happens once a minute.
      await desk.registry.close();
      at += WEEK_MS;
    }
    expect(await desk.registry.list('u_1')).toHaveLength(1);
    await desk.close();
  });
});

test('a session from before a lower limit stays ended if the limit is raised again', async () => {
  let desk = start(MONTH_MS);
  const { cookie } = await call(desk, 'POST');
  // A store that replaces records has no earlier end, either.
  sql.exec('DELETE FROM open_session');
  desk = await restart(desk, WEEK_MS);
  await call(desk, 'GET', cookie);
  desk = await restart(desk, WEEK_MS);
  await endAll(desk);
  at += 3 * WEEK_MS;
  desk = await restart(desk, MONTH_MS);
  expect((await call(desk, 'GET', cookie)).sid).toBe('');
  await desk.close();
});

test('a session whose cookie was renewed under a lower limit is denied as long as its first cookie lasts', async () => {
  const until: number[] = [];
  const denied = createDeniedSessions(noopDeniedStore, { now, log });
  const addMark: typeof denied.addMark = (mark, end) => {
    until.push(end);
    return denied.addMark(mark, end);
  };
  const store = createSqlSessionStore({ sql, now, log, mustBeInPlace }, SECRET);
  const request = new Request('http://localhost/');
  const session = { uid: 'u_1', sid: 'long', since: at };
  const long = createSessionRegistry({ store, denied, idleMs: MONTH_MS, now, log });
  await long.begin({ ...session, until: at + 3 * MONTH_MS }, request);
  await long.close();
  const deps = { store, denied: { ...denied, addMark }, idleMs: DAY_MS, now, log };
  const short = createSessionRegistry(deps);
  at += DAY_MS / 2;
  short.recordUse({ ...session, until: at + 3 * DAY_MS }, request);
  await short.end('u_1', await short.list('u_1'));
  expect(until).toEqual([session.since + 3 * MONTH_MS]);
  await short.close();
  await denied.close();
});
