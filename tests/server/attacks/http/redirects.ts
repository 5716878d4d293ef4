import { type Attack, inForms, named, under } from '../attack.ts';
import { send } from '#tests/support/server/web-client.ts';
import { PUBLIC_URL } from '../target.ts';

/** SELF is the server's origin, HOST its host and port. */
const ADDRESSES: readonly string[] = [
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/chat/..//evil.example',
  '/%2e//evil.example',
  '///evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,x',
  'blob:SELF/0-0',
  'ftp://127.0.0.1/',
  'SELF@evil.example/',
  'http://user:secret@HOST/',
  'http:evil.example',
  'http:/evil.example',
  'http:\\\\evil.example',
  'https://HOST/',
  'SELF.evil.example/',
  'SELF//evil.example',
  'SELF/.//evil.example',
  'chat',
  '?next=1',
  '#here',
  '',
  ' /chat',
  '/chat\0',
  `/${'a'.repeat(2048)}`,
  'http://[::1',
];

const leadingElsewhere = inForms(
  named(ADDRESSES),
  async ({ server, visitor }, address) => {
    const host = `127.0.0.1:${server.port}`;
    const own = `http://${host}`;
    const callbackUrl = address.replace('SELF', own).replace('HOST', host);
    const { url } = (await visitor().post('/api/auth/signout', { callbackUrl })).json();
    return String(url).replace(own, 'SELF');
  },
  'SELF/',
);

const ownNames = under(
  'our own address claimed by',
  inForms<Readonly<Record<string, string>>>(
    [
      ['Host', { host: 'evil.example' }],
      ['X-Forwarded-Host', { 'x-forwarded-host': 'evil.example' }],
      ['Forwarded', { forwarded: 'host=evil.example;proto=https' }],
      ['X-Original-URL', { 'x-original-url': 'https://evil.example/' }],
    ],
    async ({ https }, headers) => {
      const answers = await Promise.all(
        ['/api/auth/signin?callbackUrl=%2Fchat', '/api/auth/providers'].map((path) =>
          send(https.port, path, { headers }),
        ),
      );
      const told = answers.map(({ headers: { location }, text }) => `${String(location)} ${text}`);
      return told.map((text) => [text.includes(PUBLIC_URL), text.includes('evil')]);
    },
    [
      [true, false],
      [true, false],
    ],
  ),
);

/** Return addresses of other origins, and other host names for this server. */
export const redirects: readonly Attack[] = [...leadingElsewhere, ...ownNames];
