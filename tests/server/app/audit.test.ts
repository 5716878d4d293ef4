import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { type HostedServer, startHostedServer } from '#tests/support/scenes/hosted-server.ts';
import { answerJson } from '#tests/support/services/product-api.ts';
import {
  type CookieClient,
  createCookieClient,
  FORM,
  toForm,
} from '#tests/support/server/web-client.ts';
import { endSession, listSessions } from '#tests/support/server/sessions-client.ts';
import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';

const CALLBACK = '/api/auth/callback/credentials';
const SIGN_OUT = '/api/auth/signout';
const EMAIL = 'producer@example.com';
const FAILURES_MAX = 10;
const SESSIONS_MAX = 200;

type Line = Readonly<Record<string, unknown>>;

/** The audit trail; every line of the log must be one JSON object. */
const readTrail = ({ log }: Pick<WebServer, 'log'>): readonly Line[] =>
  log()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
    .filter((line) => line['audit'] === true);

/** The audit trail without times and request ids. */
const readEvents = (server: Pick<WebServer, 'log'>): readonly Line[] =>
  readTrail(server).map(
    ({ time: _time, requestId: _id, level: _level, msg: _msg, ...line }) => line,
  );

const from = { audit: true, address: '127.0.0.1' };

let server: WebServer;
let client: CookieClient;

describe('with embedded accounts', () => {
  beforeEach(async () => {
    server = await startWebServer({ LOG_LEVEL: 'error' });
    client = createCookieClient(server.port);
  });
  afterEach(() => server.dispose());

  test('a line records the user who signed in or out, the address, the time and the request', async () => {
    const signedIn = await client.signIn();
    const signedOut = await client.post(SIGN_OUT);
    const trail = readTrail(server);
    expect(trail).toEqual([
      {
        ...from,
        level: 30,
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown,
        msg: 'audit',
        event: 'sign-in.succeeded',
        account: EMAIL,
        uid: 'u_producer',
        requestId: signedIn.headers['x-request-id'],
      },
      {
        ...from,
        level: 30,
        time: expect.any(String) as unknown,
        msg: 'audit',
        event: 'sign-out.succeeded',
        uid: 'u_producer',
        requestId: signedOut.headers['x-request-id'],
      },
    ]);
    expect(trail[0]?.['requestId']).toMatch(/^[0-9a-f-]{36}$/);
    expect(trail[0]?.['requestId']).not.toBe(trail[1]?.['requestId']);
  });

  test('attempts that are too large or under another name are recorded', async () => {
    const large = 'x'.repeat(70_000);
    expect((await client.send(CALLBACK, { method: 'POST', body: large })).status).toBe(413);
    const foreign = { method: 'POST', headers: { host: 'evil.example' } };
    expect((await client.send('/api/auth/signin/credentials', foreign)).status).toBe(421);
    expect((await client.send(SIGN_OUT, foreign)).status).toBe(421);
    expect(readEvents(server)).toEqual([
      { ...from, event: 'sign-in.rejected', reason: 'size' },
      { ...from, event: 'sign-in.rejected', reason: 'host' },
      { ...from, event: 'sign-out.rejected', reason: 'host' },
    ]);
  });

  test('each session that is ended from another one writes a line', async () => {
    const others = [0, 1, 2].map(() => createCookieClient(server.port));
    for (const one of [client, ...others]) await one.signIn();
    const other = (await listSessions(client)).find(({ current }) => !current);
    await endSession(client, `/${other?.handle}`);
    await endSession(client, '?others');
    const ended = { ...from, event: 'session.ended', uid: 'u_producer', reason: 'another session' };
    const events = readEvents(server).filter(({ event }) => event !== 'sign-in.succeeded');
    expect(events).toEqual([ended, ended, ended]);
  });

  test('each session that a sign-in ends at the limit of sessions writes a line', async () => {
    const sql = new DatabaseSync(join(server.dataDir, 'desk.sqlite'));
    const insert = sql.prepare(
      "INSERT INTO open_session VALUES (?1, 'u_producer', ?1, 'a device', ?2, ?2, ?3, '')",
    );
    const now = Date.now();
    for (let n = 0; n < SESSIONS_MAX + 1; n += 1) insert.run(`session-${n}`, now - n, now * 2);
    sql.close();
    // A start gives them its secret.
    server = await server.restart();
    await client.signIn();
    const ended = { ...from, event: 'session.ended', uid: 'u_producer', reason: 'limit' };
    const signedIn = { ...from, event: 'sign-in.succeeded', account: EMAIL, uid: 'u_producer' };
    expect(readEvents(server)).toEqual([ended, ended, signedIn]);
    expect(await listSessions(client)).toHaveLength(SESSIONS_MAX);
  });

  test('every attempt over the limit also writes a line', async () => {
    for (let n = 0; n < FAILURES_MAX + 2; n += 1) await client.signIn(EMAIL, 'wrong');
    const refused = { ...from, event: 'sign-in.refused', account: EMAIL };
    const limited = { ...from, event: 'sign-in.limited', account: EMAIL };
    const events = readEvents(server);
    expect(events.slice(0, FAILURES_MAX)).toEqual(
      Array.from({ length: FAILURES_MAX }, () => refused),
    );
    expect(events.slice(FAILURES_MAX)).toEqual([limited, limited]);
  });

  test('records attempts from a foreign page, or for another provider', async () => {
    const fields = { email: EMAIL, password: 'producer', callbackUrl: '/' };
    await client.post(CALLBACK, { ...fields, csrfToken: 'forged' });
    await client.post('/api/auth/callback/github', fields);
    await client.post('/api/auth/callback', fields);
    await client.post('/api/auth/signin/github', { callbackUrl: '/' });
    await client.post('/api/auth/signin/credentials', { callbackUrl: '/' });
    const json = { 'content-type': 'application/json' };
    await client.send(CALLBACK, { method: 'POST', headers: json, body: JSON.stringify(fields) });
    const rejected = { ...from, event: 'sign-in.rejected' };
    expect(readEvents(server)).toEqual([
      { ...rejected, account: EMAIL, reason: 'csrf' },
      { ...rejected, account: EMAIL, reason: 'provider' },
      { ...rejected, account: EMAIL, reason: 'provider' },
      { ...rejected, reason: 'provider' },
      { ...rejected, reason: 'csrf' },
    ]);
  });

  test('records sign-outs that were refused, or without a session', async () => {
    await client.signIn();
    await client.post(SIGN_OUT, { csrfToken: 'forged' });
    await createCookieClient(server.port).post(SIGN_OUT);
    expect(readEvents(server).slice(1)).toEqual([
      { ...from, event: 'sign-out.rejected', uid: 'u_producer', reason: 'csrf' },
      { ...from, event: 'sign-out.succeeded' },
    ]);
  });

  test('records a session that another sign-in replaces', async () => {
    await client.signIn();
    await client.signIn('team@example.com', 'teammate');
    expect(readEvents(server).slice(1)).toEqual([
      { ...from, event: 'session.ended', uid: 'u_producer', reason: 'replaced' },
      { ...from, event: 'sign-in.succeeded', account: 'team@example.com', uid: 'u_team' },
    ]);
  });

  test('an account name cannot forge a line, hide text or fill the disk', async () => {
    const forged = 'a@b.c","event":"sign-in.succeeded"}\r\n{"audit":true,"event":"forged"}';
    const hostile = `\u001b[2K\u202e\u2028\u0000\u0085${forged}${'x'.repeat(5000)}`;
    await client.signIn(hostile, 'wrong');
    const [line, ...more] = readEvents(server);
    expect(more).toEqual([]);
    expect(line).toMatchObject({ ...from, event: 'sign-in.refused' });
    const account = String(line?.['account']);
    expect(account).toContain('a@b.c","event":"sign-in.succeeded"}  {"audit":true');
    expect(account).toMatch(/^[^\p{C}\u2028\u2029]{1,254}$/u);
    expect(server.log().split('\n')).toHaveLength(2);
  });

  test('the log never contains a password, cookie or token', async () => {
    await client.signIn(EMAIL, 'a wrong and secret password');
    const csrfToken = await client.getCsrfToken();
    await client.signIn();
    const cookies = [...client.cookies.values()];
    const text = toForm({ email: EMAIL, password: 'p4ssw0rd in a forged post', csrfToken: 'x' });
    await client.send(CALLBACK, { method: 'POST', headers: FORM, body: text });
    expect(readTrail(server)).toHaveLength(3);
    const secrets = ['a wrong and secret', 'p4ssw0rd', csrfToken, '"producer"', ...cookies];
    expect(secrets.filter((secret) => server.log().includes(secret))).toEqual([]);
  });
});

describe('with a product API', () => {
  let backend: HostedServer;
  beforeAll(async () => {
    backend = await startHostedServer();
  });
  afterAll(() => backend.dispose());

  test('records when the API could not check, and when it ended a session', async () => {
    backend.api.answer = answerJson({}, 503);
    const visitor = createCookieClient(backend.server.port);
    await visitor.signIn('ana@example.com', 'secret');
    const ana = await backend.signIn();
    backend.api.answer = answerJson({ error: 'expired' }, 401);
    expect((await ana.send('/api/proxy/staff/teams')).status).toBe(401);
    expect(readEvents(backend.server)).toEqual([
      { ...from, event: 'sign-in.failed', account: 'ana@example.com' },
      { ...from, event: 'sign-in.succeeded', account: 'ana@example.com', uid: 'u_ana' },
      { ...from, event: 'session.ended', uid: 'u_ana', reason: 'product API' },
    ]);
  });
});
