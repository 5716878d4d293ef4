import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { SessionApi } from '#domain/ports/network.ts';
import { createSessionApi } from '#src/adapters/http/session-api.ts';
import { createWebSealing } from '#src/adapters/browser/web-sealing.ts';
import {
  createKeepingFetch,
  type ScriptedEndpoint,
  sendEndlessHtml,
  sendHtml,
  sendJson,
  startScriptedEndpoint,
} from '#tests/support/services/scripted-endpoint.ts';
import { TEST_MS_MAX } from '#tests/support/wait-for.ts';

const never = new AbortController().signal;
const SESSION = {
  user: { uid: 'u_1', name: 'Zoë', email: 'zoe@example.com', image: null, role: 'producer' },
  expires: '2030-01-01T00:00:00.000Z',
};
const SIGN_IN = { email: 'zoe@example.com', password: 'p&=+ü', callbackUrl: '/chat/c_001' };

let endpoint: ScriptedEndpoint;
let api: SessionApi;
/** The fields of the last posted form. */
let posted: Readonly<Record<string, string>>;

const answerForm = (path: string, value: unknown, status = 200) =>
  endpoint.on(path, async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    posted = Object.fromEntries(new URLSearchParams(body));
    await sendJson(value, status)(request, response);
  });

beforeEach(async () => {
  endpoint = await startScriptedEndpoint();
  endpoint.on('/api/auth/csrf', sendJson({ csrfToken: 'token' }));
  const web = { origin: endpoint.origin, fetch: createKeepingFetch(), timeoutMs: TEST_MS_MAX };
  api = createSessionApi(web, createWebSealing());
});
afterEach(() => endpoint.close());

describe('session', () => {
  test('is read as the server states it', async () => {
    endpoint.on('/api/auth/session', sendJson(SESSION));
    expect(await api.getSession(never)).toEqual({ ok: true, value: SESSION });
  });

  test.each([
    ['an empty object', sendJson({})],
    ['401', sendJson({ error: 'Sign in.' }, 401)],
  ])('is absent after %s', async (_title, handler) => {
    endpoint.on('/api/auth/session', handler);
    expect(await api.getSession(never)).toEqual({ ok: true, value: undefined });
  });

  test.each([
    ['a portal page', sendHtml(200), 'unreachable'],
    ['a refusing filter', sendHtml(401), 'unreachable'],
    ['a failing server', sendJson({ error: 'x' }, 503), 'server'],
    ['a user without uid', sendJson({ ...SESSION, user: {} }), 'malformed'],
    ['no date', sendJson({ ...SESSION, expires: 'soon' }), 'malformed'],
    ['null', sendJson('null'), 'malformed'],
  ])('is not ended by %s', async (_title, handler, kind) => {
    endpoint.on('/api/auth/session', handler);
    expect(await api.getSession(never)).toMatchObject({ ok: false, error: { kind } });
  });

  test.each([200, 401, 503])('is not awaited from an endless page of status %d', async (status) => {
    const closed = new Promise<void>((resolve) => {
      endpoint.on('/api/auth/session', sendEndlessHtml(resolve, status));
    });
    expect(await api.getSession(never)).toMatchObject({ ok: false });
    await closed;
  });
});

describe('sign-in', () => {
  const PATH = '/api/auth/callback/credentials';

  test('posts the form of the session library and returns where to go', async () => {
    answerForm(PATH, { url: `${endpoint.origin}/chat/c_001?a=b#c` });
    expect(await api.signIn(SIGN_IN, never)).toEqual({ ok: true, value: '/chat/c_001?a=b#c' });
    expect(posted).toEqual({ ...SIGN_IN, csrfToken: 'token', json: 'true' });
    expect(endpoint.requests).toEqual(['GET /api/auth/csrf', `POST ${PATH}`]);
  });

  test.each([
    'https://evil.example/',
    '//evil.example/',
    'javascript:alert(1)',
    'blob:https://evil.example/1',
    '/.//evil.example',
  ])('never leads to %s', async (url) => {
    answerForm(PATH, { url });
    expect(await api.signIn(SIGN_IN, never)).toEqual({ ok: true, value: '/' });
  });

  test('recognises a wrong password by the returned url', async () => {
    const url = `${endpoint.origin}/login?error=CredentialsSignin`;
    answerForm(PATH, { url, error: 'Wrong email or password.' }, 401);
    const error = { kind: 'credentials', text: 'Wrong email or password.' };
    expect(await api.signIn(SIGN_IN, never)).toEqual({ ok: false, error });
  });

  test('recognises an error in the returned url even in a 200 response', async () => {
    answerForm(PATH, { url: `${endpoint.origin}/login?error=CredentialsSignin` });
    expect(await api.signIn(SIGN_IN, never)).toEqual({ ok: false, error: { kind: 'credentials' } });
  });

  const MISSING = { url: '/login?error=MissingCSRF', error: 'This page is out of date.' };

  test('succeeds while an earlier sign-out ends the session of its first token', async () => {
    endpoint.on(PATH, async (request, response) => {
      endpoint.on('/api/auth/csrf', sendJson({ csrfToken: 'new' }));
      answerForm(PATH, { url: '/chat' });
      await sendJson(MISSING, 400)(request, response);
    });
    expect(await api.signIn(SIGN_IN, never)).toEqual({ ok: true, value: '/chat' });
    expect(posted).toEqual({ ...SIGN_IN, csrfToken: 'new', json: 'true' });
  });

  test('keeps the text of another refusal, also of a second token', async () => {
    answerForm(PATH, MISSING, 400);
    const error = { kind: 'rejected', status: 400, text: 'This page is out of date.' };
    expect(await api.signIn(SIGN_IN, never)).toEqual({ ok: false, error });
    expect(endpoint.requests).toHaveLength(4);
  });

  test('returns how long to wait', async () => {
    endpoint.on(PATH, sendJson({ error: 'Later.' }, 429, { 'retry-after': '30' }));
    const error = { kind: 'limited', retryAfterMs: 30_000, text: 'Later.' };
    expect(await api.signIn(SIGN_IN, never)).toEqual({ ok: false, error });
  });

  test('fails if no token is available', async () => {
    endpoint.on('/api/auth/csrf', sendHtml());
    expect(await api.signIn(SIGN_IN, never)).toEqual({ ok: false, error: { kind: 'unreachable' } });
    expect(endpoint.requests).toHaveLength(1);
  });
});

test('sign-out posts its form', async () => {
  answerForm('/api/auth/signout', { url: `${endpoint.origin}/login` });
  expect(await api.signOut(never)).toEqual({ ok: true, value: undefined });
  expect(posted).toMatchObject({ csrfToken: 'token', json: 'true' });
});

test('a sign-in waits for the answer of a sign-out, which would remove its cookie', async () => {
  const reached = Promise.withResolvers<void>();
  const late = Promise.withResolvers<void>();
  const answers: string[] = [];
  endpoint.on('/api/auth/signout', async (request, response) => {
    reached.resolve();
    await late.promise;
    answers.push('sign-out');
    await sendJson({ url: '/login' })(request, response);
  });
  endpoint.on('/api/auth/callback/credentials', async (request, response) => {
    answers.push('sign-in');
    await sendJson({ url: '/chat' })(request, response);
  });
  const leaving = api.signOut(never);
  await reached.promise;
  const signingIn = api.signIn(SIGN_IN, never);
  // Long enough for a sign-in that does not wait.
  await api.getSession(never);
  await api.getSession(never);
  late.resolve();
  expect(await leaving).toMatchObject({ ok: true });
  expect(await signingIn).toEqual({ ok: true, value: '/chat' });
  expect(answers).toEqual(['sign-out', 'sign-in']);
});

test('a sign-out does not end a session that began after its token', async () => {
  answerForm('/api/auth/signout', { url: '/login?error=MissingCSRF' }, 400);
  expect(await api.signOut(never)).toMatchObject({ ok: false });
  expect(endpoint.requests).toHaveLength(2);
});

test('a change is announced to the other tabs, not to this one', async () => {
  const otherTab = createSessionApi(
    { origin: endpoint.origin, fetch, timeoutMs: TEST_MS_MAX },
    createWebSealing(),
  );
  let heardHere = 0;
  const stop = api.onChange(() => {
    heardHere += 1;
  });
  const heardThere = new Promise<void>((resolve) => {
    otherTab.onChange(resolve);
  });
  api.announceChange();
  await heardThere;
  expect(heardHere).toBe(0);
  stop();
});
