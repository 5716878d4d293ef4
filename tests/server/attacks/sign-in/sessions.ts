import { EncryptJWT } from 'jose';

import { deriveKey, findSecret } from '#server/kernel/secret.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { createCookieClient, send } from '#tests/support/server/web-client.ts';
import type { WebServer } from '#tests/support/server/web-server.ts';

import { type Attack, inForms, under } from '../attack.ts';
import { COOKIE, HTTPS_COOKIE, type Target } from '../target.ts';

const HOUR_S = 3600;
const PURPOSE = 'session cookie v1';
const USER = { uid: 'u_producer', name: 'Forged', role: 'producer' };

interface Forgery {
  readonly purpose?: string;
  readonly enc?: string;
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Seconds from now to the session's end. */
  readonly left?: number;
}

/** A session cookie forged with the server's secret. */
const forge = (server: WebServer, forgery: Forgery = {}): Promise<string> => {
  const { purpose = PURPOSE, enc = 'A256GCM', claims = {}, left = HOUR_S } = forgery;
  const secret = findSecret({ authSecret: undefined, dataDir: server.dataDir }) ?? '';
  const now = Math.floor(Date.now() / 1000);
  return new EncryptJWT({ user: USER, sid: 'forged', start: now - HOUR_S, ...claims })
    .setProtectedHeader({ alg: 'dir', enc })
    .setIssuedAt(now - HOUR_S)
    .setExpirationTime(now + left)
    .encrypt(deriveKey(secret, purpose));
};

const readSession = async (port: number, value: string, name = COOKIE): Promise<string> =>
  (await send(port, '/api/auth/session', { headers: { cookie: `${name}=${value}` } })).text;

const NONE = '{}';

const inventedCookies = inForms<string>(
  [
    ['empty', ''],
    ['letters', 'abc'],
    ['five empty parts', '....'],
    ['an unsigned token', 'eyJhbGciOiJub25lIn0.eyJ1aWQiOiJ1X3Byb2R1Y2VyIn0.'],
    ['of another key algorithm', 'eyJhbGciOiJBMTI4S1ciLCJlbmMiOiJBMjU2R0NNIn0.AA.AA.AA.AA'],
    ['of 4,000 dots', '.'.repeat(4000)],
    ['of broken escapes', '%E0%A4%A'],
  ],
  ({ server }, value) => readSession(server.port, value),
  NONE,
);

const forgedCookies = inForms<Forgery>(
  [
    ['sealed with the key of access tokens', { purpose: 'realtime token v1' }],
    ['sealed by another content encryption', { enc: 'A128CBC-HS256' }],
    ['whose time is over', { left: -1 }],
    ['without a session id', { claims: { sid: undefined } }],
    ['of a user without a uid', { claims: { user: { name: 'Nobody' } } }],
    ['of an endless uid', { claims: { user: { uid: 'u'.repeat(129) } } }],
  ],
  async ({ server }, forgery) => readSession(server.port, await forge(server, forgery)),
  NONE,
);

const otherCookies: readonly Attack[] = [
  {
    title: 'with one letter changed',
    attempt: async ({ server, visitor }) => {
      const client = visitor();
      await client.signIn();
      const value = client.cookies.get(COOKIE) ?? '';
      const at = value.length - 10;
      const changed = `${value.slice(0, at)}${value[at] === 'A' ? 'B' : 'A'}${value.slice(at + 1)}`;
      return readSession(server.port, changed);
    },
    outcome: NONE,
  },
  {
    title: 'that is an access token',
    attempt: ({ server, tokens }) => readSession(server.port, tokens.staff()),
    outcome: NONE,
  },
  {
    title: 'with a valid seal under the plain name on https, as a sibling site could plant it',
    attempt: async ({ https }) => {
      const value = await forge(https);
      const held = await readSession(https.port, value, HTTPS_COOKIE);
      return [held.includes('u_producer'), await readSession(https.port, value)];
    },
    outcome: [true, NONE],
  },
  {
    title: 'readable by a script, or sent over http',
    attempt: async ({ https }) => {
      const answer = await createCookieClient(https.port).signIn();
      const [line = ''] = [answer.headers['set-cookie'] ?? []].flat();
      const [pair = '', ...attributes] = line.split('; ');
      const fixed = attributes.filter((attribute) => !attribute.startsWith('Expires='));
      return [pair.split('=')[0], ...fixed.sort()];
    },
    outcome: [HTTPS_COOKIE, 'HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure'],
  },
];

/** The requests that a copied cookie still allows. */
const tryCopy = async ({ server }: Target, value: string): Promise<readonly unknown[]> => {
  const headers = { cookie: `${COOKIE}=${value}` };
  const paths = ['/api/proxy/staff/teams', '/api/realtime/token'];
  const answers = await Promise.all(paths.map((path) => send(server.port, path, { headers })));
  return [await readSession(server.port, value), ...answers.map(({ status }) => status)];
};
const NOTHING = [NONE, 401, 401];

const copies: readonly Attack[] = [
  {
    title: 'a copied cookie after the sign-out',
    attempt: async (target) => {
      const client = target.visitor();
      await client.signIn();
      const copied = client.cookies.get(COOKIE) ?? '';
      await client.post('/api/auth/signout');
      return tryCopy(target, copied);
    },
    outcome: NOTHING,
  },
  {
    title: 'a cookie planted before the sign-in (session fixation)',
    attempt: async (target) => {
      const client = target.visitor();
      await client.signIn('team@example.com', 'teammate');
      const planted = client.cookies.get(COOKIE) ?? '';
      await client.signIn();
      return tryCopy(target, planted);
    },
    outcome: NOTHING,
  },
  {
    title: 'the renewed cookie of a read that was pending during the sign-out',
    attempt: ({ alone }) =>
      alone(
        async (server) => {
          const client = createCookieClient(server.port);
          await client.signIn();
          const cookie = `${COOKIE}=${client.cookies.get(COOKIE)}`;
          let renewed = '';
          await waitFor('a renewal', async () => {
            const read = await send(server.port, '/api/auth/session', { headers: { cookie } });
            [renewed = ''] = [read.headers['set-cookie'] ?? []].flat();
            return renewed !== '';
          });
          await client.post('/api/auth/signout');
          return readSession(server.port, /=([^;]+)/.exec(renewed)?.[1] ?? '');
        },
        { SESSION_MAX_AGE: '6' },
      ),
    outcome: NONE,
  },
  {
    title:
      'a pending read of the previous session, answered after the next sign-in, to end that one',
    attempt: async ({ server, visitor }) => {
      const client = visitor();
      await client.signIn();
      const cookie = `${COOKIE}=${client.cookies.get(COOKIE)}`;
      await client.signIn();
      const late = await send(server.port, '/api/auth/session', { headers: { cookie } });
      return [late.text, late.headers['set-cookie']];
    },
    outcome: [NONE, undefined],
  },
  {
    title: 'more in the session response than the user and the expiry',
    attempt: async ({ staff }) => Object.keys((await staff.send('/api/auth/session')).json()),
    outcome: ['user', 'expires'],
  },
];

/** Invented, forged, planted and copied cookies. */
export const sessions: readonly Attack[] = [
  ...under('a cookie', [...inventedCookies, ...forgedCookies, ...otherCookies]),
  ...copies,
];
