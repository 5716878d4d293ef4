import { type Answer, createCookieClient, FORM, toForm } from '#tests/support/server/web-client.ts';

import { type Attack, inForms } from '../attack.ts';
import type { Target } from '../target.ts';

const CALLBACK = '/api/auth/callback/credentials';
const CSRF_COOKIE = 'replay-desk.csrf';
const RIGHT = { email: 'producer@example.com', password: 'producer', json: 'true' };

const toOwn = ({ server }: Target): string => `http://127.0.0.1:${server.port}`;

/** The content of a refusal; its url is absolute and of this origin. */
const REFUSED = { status: 400, path: '/login', name: 'MissingCSRF', words: 'string', cookies: 0 };
const toRefusal = (target: Target, answer: Answer) => {
  const { error, url } = answer.json();
  const own = new URL(String(url).replace(toOwn(target), 'http://own'));
  return {
    status: answer.status,
    path: own.host === 'own' ? own.pathname : own.href,
    name: own.searchParams.get('error'),
    words: typeof error,
    cookies: [answer.headers['set-cookie'] ?? []].flat().length,
  };
};

const withTokens = inForms<Readonly<Record<string, string>>>(
  [
    ['without a token', {}],
    ['with an empty token', { csrfToken: '' }],
    ['with a short token', { csrfToken: 'abc' }],
    ['with an invented token of the right length', { csrfToken: 'A'.repeat(43) }],
    ['with a token of other letters', { csrfToken: 'é'.repeat(43) }],
  ],
  async (target, fields) => {
    const client = target.visitor();
    await client.getCsrfToken();
    const body = toForm({ ...RIGHT, ...fields });
    return toRefusal(target, await client.send(CALLBACK, { method: 'POST', headers: FORM, body }));
  },
  REFUSED,
);

const asTypes = inForms<string>(
  [
    ['as JSON', 'application/json'],
    ['as plain text', 'text/plain'],
    ['as multipart', 'multipart/form-data; boundary=x'],
    ['as a type that looks alike', 'application/x-www-form-urlencodedx'],
    ['as no type', ''],
  ],
  async (target, type) =>
    toRefusal(target, await target.visitor().post(CALLBACK, RIGHT, { 'content-type': type })),
  REFUSED,
);

const fromPlaces = inForms<Readonly<Record<string, string>>>(
  [
    ['from a foreign origin', { origin: 'https://evil.example' }],
    ['from an opaque origin', { origin: 'null' }],
    ['from our host on another port', { origin: 'http://127.0.0.1:1' }],
    ['from https instead of http', { origin: 'https://localhost' }],
    ['from an origin that looks alike', { origin: 'http://localhost.evil.example' }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from a sister site', { 'sec-fetch-site': 'same-site' }],
    ['from another site claiming our origin', { origin: 'SELF', 'sec-fetch-site': 'cross-site' }],
  ],
  async (target, headers) => {
    const sent = Object.entries(headers).map(([name, value]) => [
      name,
      value.replace('SELF', toOwn(target)),
    ]);
    return toRefusal(
      target,
      await target.visitor().post(CALLBACK, RIGHT, Object.fromEntries(sent)),
    );
  },
  REFUSED,
);

const withForeignTokens: readonly Attack[] = [
  {
    title: "with another browser's token",
    attempt: async (target) => {
      const csrfToken = await target.visitor().getCsrfToken();
      return toRefusal(target, await target.visitor().post(CALLBACK, { ...RIGHT, csrfToken }));
    },
    outcome: REFUSED,
  },
  {
    title: 'with a token but without its cookie',
    attempt: async (target) => {
      const client = target.visitor();
      const body = toForm({ ...RIGHT, csrfToken: await client.getCsrfToken() });
      client.cookies.clear();
      return toRefusal(
        target,
        await client.send(CALLBACK, { method: 'POST', headers: FORM, body }),
      );
    },
    outcome: REFUSED,
  },
  {
    title: 'signs out with a token from before the sign-in',
    attempt: async (target) => {
      const client = target.visitor();
      const csrfToken = await client.getCsrfToken();
      await client.signIn();
      const refusal = toRefusal(target, await client.post('/api/auth/signout', { csrfToken }));
      const after = await client.send('/api/auth/session');
      return { ...refusal, stillIn: after.text.includes('u_producer') };
    },
    outcome: { ...REFUSED, stillIn: true },
  },
  {
    title: 'with nonce and token of a server with another secret',
    attempt: async (target) => {
      const elsewhere = target.visitor();
      const csrfToken = await elsewhere.getCsrfToken();
      const client = createCookieClient(target.https.port);
      client.cookies.set('__Host-replay-desk.csrf', elsewhere.cookies.get(CSRF_COOKIE) ?? '');
      return (await client.post(CALLBACK, { ...RIGHT, csrfToken })).status;
    },
    outcome: 400,
  },
];

const elsewhere = inForms<string>(
  [
    ['to sign-out', '/api/auth/signout'],
    ['to sign-in', '/api/auth/signin/credentials'],
  ],
  async (target, path) =>
    toRefusal(target, await target.visitor().post(path, { csrfToken: 'invented' })),
  REFUSED,
);

const byReading = inForms<string>(
  [
    ['sign-out as a picture’s address', '/api/auth/signout'],
    ['sign-in as a link', `${CALLBACK}?email=producer%40example.com&password=producer`],
  ],
  async (target, path) => {
    const client = target.visitor();
    await client.signIn();
    const answer = await client.send(path);
    const { text } = await client.send('/api/auth/session');
    return [answer.status, answer.headers['allow'], text.includes('u_producer')];
  },
  [405, 'POST', true],
);

/** Posts that a foreign page makes a user's browser send. */
export const forgedPosts: readonly Attack[] = [
  ...withTokens,
  ...withForeignTokens,
  ...asTypes,
  ...fromPlaces,
  ...elsewhere,
  ...byReading,
];
