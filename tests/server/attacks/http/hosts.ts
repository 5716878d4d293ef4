import { send, sendRaw } from '#tests/support/server/web-client.ts';

import { type Attack, inForms, named, under } from '../attack.ts';

const FOREIGN = ['evil.example', 'evil.example:4600', '192.0.2.7', 'localhost.evil.example', 'x'];
const PATHS = ['/', '/chat', '/api/config', '/api/auth/session', '/api/auth/csrf', '/sw.js'];

const foreign = under(
  'a page under a foreign host name (rebinding):',
  inForms(
    named(FOREIGN),
    async ({ server, https }, host) => {
      const answers = await Promise.all(
        [server, https].flatMap(({ port }) =>
          PATHS.map((path) => send(port, path, { headers: { host } })),
        ),
      );
      return [
        ...new Set(
          answers.map(({ status, headers }) => `${status} ${String(headers['content-type'])}`),
        ),
      ];
    },
    ['421 application/json'],
  ),
);

const own = under(
  'its own names still work:',
  inForms(
    named(['localhost', 'localhost:9999', '127.0.0.1', '[::1]:4600', 'LOCALHOST']),
    async ({ server }, host) => (await send(server.port, '/chat', { headers: { host } })).status,
    200,
  ),
);

const others: readonly Attack[] = [
  {
    title: 'the public name, with and without its port',
    attempt: async ({ https }) => {
      const hosts = ['desk.example.com', 'desk.example.com:443', 'Desk.Example.Com'];
      const answers = await Promise.all(
        hosts.map((host) => send(https.port, '/', { headers: { host } })),
      );
      return answers.map(({ status }) => status);
    },
    outcome: [200, 200, 200],
  },
  {
    title: 'a balancer that requests health by IP address, and Prometheus metrics',
    attempt: async ({ server, https }) => {
      const headers = { host: '10.1.2.3:4600' };
      const paths = ['/api/health', '/api/metrics'];
      const ask = ({ port }: { readonly port: number }) =>
        Promise.all(paths.map(async (path) => (await send(port, path, { headers })).status));
      return [await ask(server), await ask(https)];
    },
    outcome: [
      [200, 404],
      [200, 404],
    ],
  },
  {
    title: 'an absolute url in the request line, with a different host header',
    attempt: async ({ server }) => {
      const line = 'GET http://evil.example/api/config HTTP/1.1';
      const ask = async (host: string): Promise<string> =>
        (await sendRaw(server.port, `${line}\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)).slice(
          9,
          12,
        );
      return [await ask('localhost'), await ask('evil.example')];
    },
    outcome: ['421', '421'],
  },
  {
    title: 'a balancer that names no host, as HTTP/1.0 allows, and foreign names in that version',
    attempt: async ({ server, https }) => {
      const requests = [
        'OPTIONS /api/health HTTP/1.0',
        'GET /api/health HTTP/1.0',
        'GET /chat HTTP/1.0',
        'GET /chat HTTP/1.0\r\nhost: evil.example',
        'GET http://evil.example/chat HTTP/1.0',
        'GET /api/health HTTP/1.1\r\nconnection: close',
      ];
      const ask = ({ port }: { readonly port: number }) =>
        Promise.all(
          requests.map(async (lines) => (await sendRaw(port, `${lines}\r\n\r\n`)).slice(9, 12)),
        );
      return [await ask(server), await ask(https)];
    },
    outcome: [
      ['405', '200', '200', '421', '421', '400'],
      ['405', '200', '200', '421', '421', '400'],
    ],
  },
];

/** Host names other than the server's own. */
export const hosts: readonly Attack[] = [...foreign, ...own, ...others];
