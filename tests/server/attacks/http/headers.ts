import { createRealtimeClient } from '#tests/support/server/realtime-client.ts';
import { createCookieClient, send } from '#tests/support/server/web-client.ts';

import { type Attack, inForms, under } from '../attack.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** The headers that protect a page from being misinterpreted, framed or sniffed. */
const toGuards = (headers: Headers) => {
  const policy = String(headers['content-security-policy']).split('; ');
  const cut = (directive: string): [string, string] => {
    const [name = '', ...sources] = directive.split(' ');
    return [name, sources.join(' ')];
  };
  const rules: Readonly<Record<string, string>> = Object.fromEntries(policy.map(cut));
  return {
    default: rules['default-src'],
    script: rules['script-src'],
    style: rules['style-src'],
    connect: rules['connect-src'],
    frame: rules['frame-ancestors'],
    base: rules['base-uri'],
    object: rules['object-src'],
    types: [rules['require-trusted-types-for'], rules['trusted-types']],
    form: rules['form-action'],
    image: rules['img-src'],
    media: rules['media-src'],
    report: [rules['report-to'], rules['report-uri'], headers['reporting-endpoints']],
    sniff: headers['x-content-type-options'],
    referrer: headers['referrer-policy'],
    opener: headers['cross-origin-opener-policy'],
    resource: headers['cross-origin-resource-policy'],
    camera: String(headers['permissions-policy']).includes('camera=()'),
    maker: headers['x-powered-by'],
    server: headers['server'],
    cors: Object.keys(headers).filter((name) => name.startsWith('access-control-')),
  };
};

const GUARDS = {
  default: "'none'",
  script: "'self'",
  style: "'self'",
  connect: "'self'",
  frame: "'none'",
  base: "'none'",
  object: "'none'",
  types: ["'script'", 'replay-desk-worker replay-desk-search'],
  form: "'self'",
  image: "'self'",
  media: undefined,
  report: ['desk', '/api/policy-reports', 'desk="/api/policy-reports"'],
  sniff: 'nosniff',
  referrer: 'same-origin',
  opener: 'same-origin',
  resource: 'same-origin',
  camera: true,
  maker: undefined,
  server: undefined,
  cors: [],
};

const answers = under(
  'requested by a foreign page:',
  inForms<readonly [method: string, path: string, status: number]>(
    [
      ['a page', ['GET', '/chat', 200]],
      ['a page without its body', ['HEAD', '/', 200]],
      ['the service worker', ['GET', '/sw.js', 200]],
      ['an asset', ['GET', '/assets/main-abc123.js', 200]],
      ['a missing asset', ['GET', '/assets/gone.js', 404]],
      ['an answer', ['GET', '/api/health', 200]],
      ['the session', ['GET', '/api/auth/session', 200]],
      ['a refusal', ['GET', '/api/proxy/staff/teams', 401]],
      ['a 404', ['GET', '/api/nothing', 404]],
      ['a 405', ['PUT', '/api/health', 405]],
      ['a redirect', ['GET', '/api/auth/signin', 302]],
      ['a preflight', ['OPTIONS', '/api/auth/callback/credentials', 405]],
    ],
    async ({ server }, [method, path, status]) => {
      const headers = {
        origin: 'https://evil.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      };
      const answer = await send(server.port, path, { method, headers });
      return answer.status === status ? toGuards(answer.headers) : answer.status;
    },
    GUARDS,
  ),
);

const others: readonly Attack[] = [
  {
    title: 'a 413',
    attempt: async ({ server }) => {
      const options = { method: 'POST', body: 'x'.repeat(70_000) };
      return toGuards((await send(server.port, '/api/auth/_log', options)).headers);
    },
    outcome: GUARDS,
  },
  {
    title: 'a 304',
    attempt: async ({ server }) => {
      const { etag } = (await send(server.port, '/')).headers;
      const headers = { 'if-none-match': String(etag) };
      const answer = await send(server.port, '/', { headers });
      return answer.status === 304 ? toGuards(answer.headers) : answer.status;
    },
    outcome: GUARDS,
  },
  {
    title: 'the stream',
    attempt: async ({ server, tokens }) => {
      const stream = await createRealtimeClient(server.port, tokens.staff()).stream();
      stream.stop();
      return toGuards(Object.fromEntries(stream.headers));
    },
    outcome: GUARDS,
  },
  {
    title: 'coming back over http after https (HSTS), and not on http',
    attempt: async ({ server, https }) => {
      const paths = ['/', '/api/nothing', '/assets/gone.js'];
      const read = (port: number) =>
        Promise.all(paths.map(async (path) => (await send(port, path)).headers));
      const strict = (await read(https.port)).map(
        (headers) => headers['strict-transport-security'],
      );
      const plain = (await read(server.port)).map(
        (headers) => headers['strict-transport-security'],
      );
      const isStrict = strict.every((value) => {
        const [age = '', subdomains] = String(value).split('; ');
        return (
          Number(age.replace('max-age=', '')) >= 31_536_000 && subdomains === 'includeSubDomains'
        );
      });
      return [isStrict, plain];
    },
    outcome: [true, [undefined, undefined, undefined]],
  },
  {
    title: 'plain http for parts of an https page, and no upgrade on http',
    attempt: async ({ server, https }) => {
      const read = async (port: number) =>
        String((await send(port, '/')).headers['content-security-policy']).split('; ');
      const directive = 'upgrade-insecure-requests';
      return [
        (await read(https.port)).includes(directive),
        (await read(server.port)).includes(directive),
      ];
    },
    outcome: [true, false],
  },
  {
    title: 'caching personal data',
    attempt: async ({ server }) => {
      const client = createCookieClient(server.port);
      await client.signIn();
      const paths = ['/api/auth/session', '/api/auth/csrf', '/api/proxy/staff/teams'];
      const read = await Promise.all(
        [...paths, '/api/realtime/token', '/api/nothing'].map((path) => client.send(path)),
      );
      return [...new Set(read.map(({ headers }) => headers['cache-control']))];
    },
    outcome: ['no-store'],
  },
];

/** Responses in a context they were not made for. */
export const headers: readonly Attack[] = [...answers, ...others];
