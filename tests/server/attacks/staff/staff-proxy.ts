import { send, sendRaw } from '#tests/support/server/web-client.ts';

import { type Attack, inForms, named } from '../attack.ts';

const TEAMS = '/api/proxy/staff/teams';

const PATHS: readonly string[] = [
  '/api/proxy',
  '/api/proxy/',
  '/api/proxy/staff',
  '/api/proxy/staff/teams/',
  '/api/proxy/staff/teams/1',
  '/api/proxy/staff/Teams',
  '/api/proxy/staff//teams',
  '/api/proxy//staff/teams',
  '/api/proxy/./staff/teams',
  '/api/proxy/staff/../staff/teams',
  '/api/proxy/staff/teams/..',
  '/api/proxy/staff/%74eams',
  '/api/proxy/staff%2fteams',
  '/api/proxy/staff/teams%00',
  '/api/proxy/staff/teams;x=1',
  '/api/proxy/../proxy/staff/teams',
  '/%61pi/proxy/staff/teams',
  '/api/proxy/https://evil.example/',
  '/api/proxy//evil.example/staff/teams',
  '/api/proxy/@evil.example/',
  '/api/proxy/auth',
];

const otherPaths = inForms(
  named(PATHS),
  async ({ staff }, path) => {
    const { status, text } = await staff.send(path);
    return [status, text];
  },
  [404, '{"error":"Not found"}'],
);

const otherMethods = inForms(
  ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'].map((method) => [method, method] as const),
  async ({ staff }, method) => {
    const { status, headers } = await staff.send(TEAMS, { method });
    return [status, headers['allow']];
  },
  [405, 'GET'],
);

const others: readonly Attack[] = [
  {
    title: 'another host’s address in the request line',
    attempt: async ({ server, staff }) => {
      const cookie = [...staff.cookies].map((pair) => pair.join('=')).join('; ');
      const answer = await sendRaw(
        server.port,
        `GET http://evil.example${TEAMS} HTTP/1.1\r\nhost: evil.example\r\ncookie: ${cookie}\r\nconnection: close\r\n\r\n`,
      );
      return answer.slice(0, 'HTTP/1.1 421'.length);
    },
    outcome: 'HTTP/1.1 421',
  },
  {
    title: 'without a session',
    attempt: async ({ server }) => (await send(server.port, TEAMS)).status,
    outcome: 401,
  },
  {
    title: 'with an access token instead of a session',
    attempt: async ({ server, tokens }) => {
      const headers = { authorization: `Bearer ${tokens.staff()}` };
      return (await send(server.port, TEAMS, { headers })).status;
    },
    outcome: 401,
  },
];

/**
 * Attempts to reach more than the two lists through the proxy; for its answers see proxy-upstream.
 */
export const staffProxy: readonly Attack[] = [...otherPaths, ...otherMethods, ...others];
