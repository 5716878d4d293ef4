import { FORM, send, sendRaw } from '#tests/support/server/web-client.ts';

import { type Attack, inForms, named, under } from '../attack.ts';

/** A raw response: its status, whether it is JSON with an error, and our headers. */
const readRaw = (answer: string) => {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const { error } = JSON.parse(body) as { readonly error: unknown };
  const lower = head.toLowerCase();
  return {
    status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]),
    answers: answer.split('HTTP/1.1 ').length - 1,
    error: typeof error,
    isJson: lower.includes('content-type: application/json'),
    isGuarded: lower.includes("default-src 'none'") && lower.includes('nosniff'),
  };
};
const toRefused = (status: number) => ({
  status,
  answers: 1,
  error: 'string',
  isJson: true,
  isGuarded: true,
});

const END = 'connection: close\r\n\r\n';
const GET = 'GET /api/health HTTP/1.1\r\n';
const POST = 'POST /api/auth/_log HTTP/1.1\r\nhost: localhost\r\ncontent-type: text/plain\r\n';
/** A smuggled request that should not be read as one. */
const SMUGGLED = 'GET /api/proxy/staff/teams HTTP/1.1\r\nhost: x\r\n\r\n';

const hardlyHttp = inForms(
  [
    ['garbage', 'garbage\r\n\r\n'],
    ['no host', `${GET}${END}`],
    ['two hosts', `${GET}host: a\r\nhost: b\r\n${END}`],
    ['a host of nonsense', `${GET}host: a b@c/\r\n${END}`],
    ['a host with user info', `${GET}host: localhost@evil.example\r\n${END}`],
    ['backslashes', `GET /api/proxy/staff\\teams HTTP/1.1\r\nhost: x\r\n${END}`],
    ['a bare NUL', 'GET /\0 HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['a NUL in a header', `${GET}host: x\r\nx-a: b\0c\r\n${END}`],
    ['lines without carriage returns', 'GET /api/health HTTP/1.1\nhost: x\n\n'],
    ['a folded header', `${GET}host: x\r\n folded: y\r\n${END}`],
    ['a space before the colon', `${POST}transfer-encoding : chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`],
    ['two lengths', `${POST}content-length: 1\r\ncontent-length: 2\r\n\r\n${SMUGGLED}`],
    ['a signed length', `${POST}content-length: +5\r\n\r\n${SMUGGLED}`],
    [
      'length and chunks',
      `${POST}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
    ],
    [
      'chunks under another name',
      `${POST}transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n${SMUGGLED}`,
    ],
    ['another protocol', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['the whole server as an address', `OPTIONS * HTTP/1.1\r\nhost: x\r\n${END}`],
  ],
  async ({ server }, bytes) => readRaw(await sendRaw(server.port, bytes)),
  toRefused(400),
);

const tooMuch = inForms(
  [
    ['a 1 MB url', `GET /${'a'.repeat(1_000_000)} HTTP/1.1\r\nhost: x\r\n\r\n`],
    ['a 100 kB cookie', `${GET}host: x\r\ncookie: a=${'b'.repeat(100_000)}\r\n\r\n`],
    ['10,000 headers', `${GET}host: x\r\n${'x-a: b\r\n'.repeat(10_000)}\r\n`],
  ],
  async ({ server }, bytes) => readRaw(await sendRaw(server.port, bytes)),
  toRefused(431),
);

const chunk = `8000\r\n${'x'.repeat(0x80_00)}\r\n`;

const others: readonly Attack[] = [
  {
    title: 'an unknown expectation (Expect)',
    attempt: async ({ server }) =>
      readRaw(await sendRaw(server.port, `${GET}host: x\r\nexpect: 200-nothing\r\n${END}`)),
    outcome: toRefused(417),
  },
  {
    title: 'a body over the limit in chunks',
    attempt: async ({ server }) => {
      const bytes = `${POST}transfer-encoding: chunked\r\n${END}${chunk.repeat(3)}0\r\n\r\n`;
      return readRaw(await sendRaw(server.port, bytes));
    },
    outcome: toRefused(413),
  },
  {
    title: 'a tunnel to another host (CONNECT)',
    attempt: ({ server }) =>
      sendRaw(server.port, 'CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example\r\n\r\n'),
    outcome: '',
  },
  {
    title: 'an echo of the request headers (TRACE)',
    attempt: async ({ server }) => {
      const headers = { cookie: 'secret=of-the-test' };
      const answer = await send(server.port, '/', { method: 'TRACE', headers });
      return [answer.status, answer.text.includes('of-the-test')];
    },
    outcome: [405, false],
  },
  {
    title: 'a change of protocol',
    attempt: async ({ server }) => {
      const upgrade = `upgrade: websocket\r\nconnection: upgrade, close\r\n\r\n`;
      return (await sendRaw(server.port, `${GET}host: x\r\n${upgrade}`)).slice(9, 12);
    },
    outcome: '200',
  },
];

const bigBodies = under(
  'a body of',
  inForms<number>(
    [
      ['one byte over 64 kB', 65_537],
      ['10 MB', 10 * 1024 * 1024],
    ],
    async ({ server }, bytes) => {
      const body = 'x'.repeat(bytes);
      const answer = await send(server.port, '/api/auth/_log', {
        method: 'POST',
        headers: FORM,
        body,
      });
      return [answer.status, typeof answer.json()['error']];
    },
    [413, 'string'],
  ),
);

const wrongMethods = inForms<readonly [method: string, path: string, allow: string]>(
  [
    ['reading the callback', ['GET', '/api/auth/callback/credentials', 'POST']],
    ['reading the log', ['GET', '/api/auth/_log', 'POST']],
    ['posting to the session', ['POST', '/api/auth/session', 'GET, HEAD']],
    ['putting a token', ['PUT', '/api/auth/csrf', 'GET, HEAD']],
    ['deleting the providers', ['DELETE', '/api/auth/providers', 'GET, HEAD']],
    ['patching a sign-in', ['PATCH', '/api/auth/signin/credentials', 'GET, HEAD, POST']],
    ['reading a publish', ['GET', '/api/realtime/publish', 'POST']],
    ['deleting the history', ['DELETE', '/api/realtime/history', 'GET, HEAD, POST']],
    ['posting to a page', ['POST', '/chat', 'GET, HEAD']],
    ['a method of its own on a page', ['PROPFIND', '/', 'GET, HEAD']],
  ],
  async ({ staff }, [method, path, allow]) => {
    // Headers and fields by which some programs override the method.
    const headers = { 'x-http-method-override': allow.split(',')[0] ?? '', ...FORM };
    const answer = await staff.send(path, { method, headers, body: '_method=GET' });
    return [answer.status, answer.headers['allow'] === allow, typeof answer.json()['error']];
  },
  [405, true, 'string'],
);

const unknownPaths = inForms(
  named([
    '/api',
    '/api/',
    '/api/nothing',
    '/api/nothing.js',
    '/api/auth',
    '/api/auth/nothing',
    '/api/auth/session/more',
    '/api/realtime',
    '/api/realtime/nothing',
    '/api/health/',
    '/api/../api/nothing',
    '/api/%00',
  ]),
  async ({ server }, path) => {
    const methods = ['GET', 'POST', 'PURGE'];
    const answers = await Promise.all(methods.map((method) => send(server.port, path, { method })));
    return [
      ...new Set(
        answers.map(({ status, headers }) => `${status} ${String(headers['content-type'])}`),
      ),
    ];
  },
  ['404 application/json'],
);

/** Dot segments that lead out of /api. */
const outOfApi = inForms(
  named(['/api/%2e%2e/index.html', '/api/../index.html', '/api/auth/../../chat']),
  async ({ server }, path) => {
    const { status, headers } = await send(server.port, path);
    return [status, headers['content-type']];
  },
  [404, 'application/json'],
);

/** Requests that are not HTTP, too large, of other methods, or for unknown paths. */
export const brokenRequests: readonly Attack[] = [
  ...hardlyHttp,
  ...tooMuch,
  ...others,
  ...bigBodies,
  ...wrongMethods,
  ...unknownPaths,
  ...outOfApi,
];
