import { send } from '#tests/support/server/web-client.ts';

import { type Attack, inForms, named } from '../attack.ts';

const outside = inForms(
  named([
    '/..',
    '/../../etc/passwd',
    '/..%2f..%2fetc%2fpasswd',
    '/%2e%2e/%2e%2e/package.json',
    '/..%5c..%5cpackage.json',
    '/....//....//etc/passwd',
    '/%252e%252e/package.json',
    '/%c0%ae%c0%ae/etc/passwd',
    '//etc/passwd',
    '/chat/%00',
    '/index.html%00.js',
    '/%',
    '/%E0%A4%A',
    '/.vite/manifest.json',
    '/.env',
    '/data/auth-secret',
    '/__proto__',
    '/constructor',
  ]),
  async ({ server }, path) => {
    const answer = await send(server.port, path);
    return [answer.status, answer.headers['content-type'], answer.text.includes('<div id="root">')];
  },
  [200, 'text/html; charset=utf-8', true],
);

const outsideAssets = inForms(
  named([
    '/assets/gone.js',
    '/assets/',
    '/assets/..%2findex.html',
    '/assets/%2e%2e/index.html',
    '/assets/../../package.json',
    '/assets/..%2f..%2fdata%2fauth-secret',
    '/assets/main-abc123.js%00.png',
    '/assets/__proto__',
  ]),
  async ({ server }, path) => {
    const { status, text, headers } = await send(server.port, path);
    return [status, text, headers['cache-control']];
  },
  [404, '{"error":"Not found"}', 'no-store'],
);

/** Paths that would leave the built page: they get the shell or 404. */
export const pageFiles: readonly Attack[] = [...outside, ...outsideAssets];
