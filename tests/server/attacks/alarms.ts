import { connect } from 'node:net';

import { waitFor } from '#tests/support/wait-for.ts';
import { createCookieClient, FORM, send, toForm } from '#tests/support/server/web-client.ts';
import type { WebServer } from '#tests/support/server/web-server.ts';

import { type Attack, inForms, under } from './attack.ts';

/** Log lines of this level or higher are alarms. */
const ALARM = 50;

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly path?: string;
  readonly err?: unknown;
}

/** Every line of the log; each must be one JSON object. */
export const readLines = (server: Pick<WebServer, 'log'>): readonly Line[] =>
  server
    .log()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);

/** Lines that are alarms, or contain a stack. */
export const findAlarms = (server: Pick<WebServer, 'log'>): readonly Line[] =>
  readLines(server).filter(({ level, err }) => level >= ALARM || err !== undefined);

/** Sends bytes and disconnects at once, in the middle of the request. */
const hangUp = (port: number, bytes: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(bytes, () => setImmediate(() => socket.destroy()));
    });
    socket.once('error', reject);
    socket.once('close', () => resolve());
  });

const toHead = (path: string, headers: readonly string[]): string =>
  [`POST ${path} HTTP/1.1`, 'host: localhost', ...headers, '', ''].join('\r\n');

const FORM_TYPE = 'content-type: application/x-www-form-urlencoded';
const LENGTH = 'content-length: 500';
const CHUNKED = 'transfer-encoding: chunked';

const hangUps = under(
  'hanging up',
  inForms<readonly [path: string, bytes: string]>(
    [
      ...['_log', 'callback/credentials', 'callback', 'signin/credentials', 'signout'].map(
        (path) =>
          [
            `of a post to ${path}`,
            [`/api/auth/${path}`, toHead(`/api/auth/${path}`, [FORM_TYPE, LENGTH]) + 'x'],
          ] as const,
      ),
      [
        'in the middle of a chunk',
        ['/api/auth/_log', `${toHead('/api/auth/_log', [FORM_TYPE, CHUNKED])}10\r\nx`],
      ],
      [
        'before a byte of the body',
        ['/api/auth/_log', toHead('/api/auth/_log', [FORM_TYPE, LENGTH])],
      ],
    ],
    ({ alone }, [path, bytes]) =>
      alone(async (server) => {
        await hangUp(server.port, bytes);
        await waitFor('the end of the request', () =>
          readLines(server).some((line) => line.msg === 'request' && line.path === path),
        );
        return findAlarms(server);
      }),
    [],
  ),
);

const claimed: Attack = {
  title: 'an error claimed by a visitor’s page',
  attempt: ({ alone }) =>
    alone(async (server) => {
      const body = toForm({ level: 'error', code: 'CLAIMED', details: 'everything is on fire' });
      const options = { method: 'POST', headers: FORM, body };
      const { status } = await send(server.port, '/api/auth/_log', options);
      const levels = readLines(server)
        .filter(({ msg }) => msg === 'page report')
        .map(({ level }) => level);
      return [status, levels, findAlarms(server)];
    }),
  outcome: [200, [40], []],
};

const SIGN_IN = { email: 'nobody@example.com', password: 'wrong', callbackUrl: '/' };

const upstreamDown: Attack = {
  title: 'signing in while the product API is unreachable',
  attempt: ({ alone }) =>
    alone(
      async (server) => {
        const client = createCookieClient(server.port);
        const { status } = await client.post('/api/auth/callback/credentials', SIGN_IN);
        return [status, findAlarms(server)];
      },
      { API_BASE_URL: 'http://127.0.0.1:1', AUTH_SECRET: 'x'.repeat(48) },
    ),
  outcome: [502, []],
};

/** No service listens at these addresses. */
const STORE_DOWN = {
  SHARED_STORE_URL: 'redis://127.0.0.1:1',
  API_BASE_URL: 'http://127.0.0.1:1',
  PUBNUB_PUBLISH_KEY: 'pub-c-attack',
  PUBNUB_SUBSCRIBE_KEY: 'sub-c-attack',
  PUBNUB_SECRET_KEY: 'sec-c-attack',
  PUBNUB_ORIGIN: '127.0.0.1:1',
  PUBNUB_SSL: 'false',
  AUTH_SECRET: 'x'.repeat(48),
};

const storeDown: Attack = {
  title: 'signing in again and again while the shared store is down',
  attempt: ({ alone }) =>
    alone(async (server) => {
      const client = createCookieClient(server.port);
      const statuses: number[] = [];
      for (let n = 0; n < 4; n += 1) {
        const { status } = await client.post('/api/auth/callback/credentials', SIGN_IN);
        statuses.push(status);
      }
      return [statuses, findAlarms(server).map(({ msg }) => msg)];
    }, STORE_DOWN),
  // The outage itself raises one alarm, whichever part detects it.
  outcome: [
    [503, 503, 503, 503],
    [
      'the shared store is down: nobody can sign in',
      'sign-ins cannot be limited, so nobody can sign in',
    ],
  ],
};

/** Attempts to raise an alarm without a session. */
export const alarms: readonly Attack[] = [...hangUps, claimed, upstreamDown, storeDown];
