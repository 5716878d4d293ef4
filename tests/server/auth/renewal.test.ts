import { Hono } from 'hono';
import { beforeEach, expect, test } from 'vitest';

import type { ServerEnv } from '#server/http/answers.ts';
import { createCookies } from '#server/auth/cookies.ts';
import { createSessionSeal } from '#server/auth/session-seal.ts';
import { createSessions, type SessionService } from '#server/auth/sessions.ts';
import { createDeniedSessions } from '#server/denied/denied-sessions.ts';
import type { Denial } from '#server/denied/denied-store.ts';
import { DENIALS_KEPT_MS } from '#server/kernel/limits.ts';
import { createLog } from '#server/kernel/log.ts';

const DAY = 24 * 3600 * 1000;
const SECRET = 'a secret of the tests, long enough to be one';
const IDLE = 30 * DAY;
const log = createLog('silent');

let at: number;
let sessions: SessionService;
let denied: Denial[];
let app: Hono<ServerEnv>;

const createService = (idleMs: number): SessionService => {
  const now = () => at;
  const add = async (denial: Denial) => void denied.push(denial);
  return createSessions({
    seal: createSessionSeal(SECRET, 'embedded accounts'),
    denied: createDeniedSessions({ load: () => [], add }, { now, log }),
    refusedUids: new Set(),
    cookies: createCookies(true),
    idleMs,
    now,
  });
};

beforeEach(() => {
  // Close to today, because the cookie library refuses dates too far off.
  at = Math.floor(Date.now() / 1000) * 1000;
  denied = [];
  sessions = createService(IDLE);
  app = new Hono<ServerEnv>();
  app.post('/in', async (c) => {
    const user = { uid: 'u_1', name: 'N'.repeat(9000), image: 'x'.repeat(9000) };
    await sessions.begin(c, { user, upstreamToken: 't.1' });
    return c.text('');
  });
  app.post('/out', async (c) => {
    await sessions.end(c);
    return c.text('');
  });
  app.post('/deny', async (c) => {
    await sessions.deny(c);
    return c.text('');
  });
  app.get('/', async (c) => {
    const session = await sessions.readAndRenew(c);
    return c.json({ sid: session?.sid ?? null, token: session?.upstreamToken });
  });
});

const call = async (method: string, path: string, cookie = '') => {
  const answer = await app.request(path, { method, headers: { cookie } });
  const [set = ''] = answer.headers.getSetCookie();
  return { set, cookie: set.split(';')[0] ?? '', body: await answer.text() };
};

const sidOf = async (cookie: string): Promise<unknown> =>
  (JSON.parse((await call('GET', '/', cookie)).body) as { sid: unknown }).sid;

test('on https the cookie is __Host- and Secure, and small for any user name', async () => {
  const { set } = await call('POST', '/in');
  expect(set).toMatch(/^__Host-replay-desk\.session=/);
  expect(set).toContain('Secure');
  expect(set).toContain('Path=/');
  expect(set.length).toBeLessThan(4096);
});

test('a day of use renews the cookie under the same id', async () => {
  const { cookie } = await call('POST', '/in');
  const sid = await sidOf(cookie);
  at += DAY - 60_000;
  expect((await call('GET', '/', cookie)).set).toBe('');
  at += 120_000;
  const renewed = await call('GET', '/', cookie);
  expect(renewed.set).toContain(new Date(at + IDLE).toUTCString());
  expect(await sidOf(renewed.cookie)).toBe(sid);
  expect((await call('GET', '/', renewed.cookie)).body).toContain('"token":"t.1"');
});

test('unused it ends after the idle limit', async () => {
  const { cookie } = await call('POST', '/in');
  at += IDLE - 1000;
  expect(await sidOf(cookie)).not.toBeNull();
  at += 1000;
  expect(await sidOf(cookie)).toBeNull();
});

test('used every day it ends after three times the idle limit', async () => {
  let { cookie } = await call('POST', '/in');
  const begin = at;
  while ((await sidOf(cookie)) !== null) {
    at += DAY;
    cookie = (await call('GET', '/', cookie)).cookie || cookie;
    expect(at - begin).toBeLessThanOrEqual(3 * IDLE);
  }
  expect(at - begin).toBe(3 * IDLE);
});

test('a pending read cannot undo a sign-out', async () => {
  const { cookie } = await call('POST', '/in');
  const sid = await sidOf(cookie);
  at += 2 * DAY;
  const renewed = await call('GET', '/', cookie);
  const heard: string[] = [];
  sessions.onDenied((denied) => heard.push(denied));
  await call('POST', '/out', cookie);
  expect(await sidOf(renewed.cookie)).toBeNull();
  expect(denied.map(([id]) => id)).toEqual([sid]);
  expect(heard).toEqual([sid]);
});

test('a shorter idle limit also ends the sessions that began under a longer one', async () => {
  const { cookie } = await call('POST', '/in');
  const expires = at + IDLE;
  sessions = createService(DAY);
  at += DAY - 1000;
  expect(await sidOf(cookie)).not.toBeNull();
  // Stays denied for as long as its cookie may last: the limit may be raised again.
  await call('POST', '/out', cookie);
  expect(denied[0]?.[1]).toBeGreaterThanOrEqual(expires);
  const other = await call('POST', '/in');
  sessions = createService(DAY / 2);
  at += DAY / 2;
  expect(await sidOf(other.cookie)).toBeNull();
});

test('a session of a year can be denied, although no cookie lasts that long', async () => {
  sessions = createService(365 * DAY);
  const { cookie } = await call('POST', '/in');
  expect((await call('POST', '/deny', cookie)).set).toMatch(/^__Host-replay-desk\.ended=/);
  expect(denied).toHaveLength(1);
  expect(await sidOf(cookie)).toBeNull();
});

test('a session of another secret is invalid', async () => {
  const text = await createSessionSeal(`${SECRET}!`, 'embedded accounts').seal({
    user: { uid: 'u_1' },
    sid: 's',
    startedAt: at,
    issuedAt: at,
    expires: at + DAY,
  });
  expect(await sidOf(`__Host-replay-desk.session=${text}`)).toBeNull();
});

test('a session of other accounts under the same secret is invalid', async () => {
  const session = {
    user: { uid: 'u_1' },
    sid: 's',
    startedAt: at,
    issuedAt: at,
    expires: at + DAY,
  };
  const own = await createSessionSeal(SECRET, 'embedded accounts').seal(session);
  const other = await createSessionSeal(SECRET, 'product API').seal(session);
  expect(await sidOf(`__Host-replay-desk.session=${own}`)).toBe('s');
  expect(await sidOf(`__Host-replay-desk.session=${other}`)).toBeNull();
});

test('long expired sessions leave the denylist', async () => {
  const list = createDeniedSessions(
    { load: () => [['old', at + 1 - DENIALS_KEPT_MS]], add: async () => undefined },
    { now: () => at, log },
  );
  expect(list.has('old')).toBe(true);
  at += 2;
  await list.add('new', at + DAY);
  expect(list.has('old')).toBe(false);
  expect(list.has('new')).toBe(true);
});

test('the denylist is searched for expired sessions once a minute at most', async () => {
  const list = createDeniedSessions(
    { load: () => [['old', at + 1 - DENIALS_KEPT_MS]], add: async () => undefined },
    { now: () => at, log },
  );
  await list.add('first', at + DAY);
  at += 59_999;
  await list.add('within the minute', at + DAY);
  expect(list.count()).toBe(3);
  at += 1;
  await list.add('after it', at + DAY);
  expect(list.count()).toBe(3);
  expect(list.has('old')).toBe(false);
});

test('a store that never answers does not delay a sign-out', async () => {
  const never = new Promise<void>(() => undefined);
  const list = createDeniedSessions({ load: () => [], add: () => never }, { now: () => at, log });
  await list.add('sid', at + DAY);
  expect(list.has('sid')).toBe(true);
  await list.close();
});
