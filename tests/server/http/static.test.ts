import fs, { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { send } from '#tests/support/server/web-client.ts';
import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';

let server: WebServer;
beforeAll(async () => {
  server = await startWebServer();
});
afterAll(() => server.dispose());

const SCRIPT = '/assets/main-abc123.js';

describe('the shell', () => {
  test.each([
    '/',
    '/index.html',
    '/login',
    '/chat/c_001/team?x=1',
    '/no/such/page',
    '/missing.js',
    '/apiary',
  ])('answers %s', async (path) => {
    const answer = await send(server.port, path);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-cache, no-transform');
    expect(answer.text).toContain('<div id="root">');
  });

  test('is not sent again if unchanged', async () => {
    const { etag } = (await send(server.port, '/')).headers;
    const answer = await send(server.port, '/chat', {
      headers: { 'if-none-match': `"other", ${String(etag)}` },
    });
    expect(answer.status).toBe(304);
    expect(answer.text).toBe('');
    expect(answer.headers['etag']).toBe(etag);
    expect(answer.headers['content-security-policy']).toBeDefined();
  });

  test('answers HEAD without a body', async () => {
    const answer = await send(server.port, '/', { method: 'HEAD' });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe('');
  });

  test('is served from a new build without a restart', async () => {
    const file = join(server.dist, 'index.html');
    writeFileSync(file, '<!doctype html><title>Second build</title><div id="root"></div>');
    const later = Date.now() / 1000 + 5;
    utimesSync(file, later, later);
    expect((await send(server.port, '/')).text).toContain('Second build');
  });
});

describe('the document of a request without a session', () => {
  const SIGN_IN = '<!doctype html><div id="root"><form></form></div>';
  const SESSION = { cookie: 'theme=dark; replay-desk.session=sealed' };
  beforeAll(() => writeFileSync(join(server.dist, 'sign-in.html'), SIGN_IN));
  afterAll(() => rmSync(join(server.dist, 'sign-in.html')));

  test.each(['/', '/login', '/chat/c_001/team?x=1', '/no/such/page'])(
    'contains the sign-in page: %s',
    async (path) => {
      const answer = await send(server.port, path);
      expect(answer.text).toBe(SIGN_IN);
      expect(answer.headers['cache-control']).toBe('no-cache, no-transform');
      expect(answer.headers['vary']).toBe('accept-encoding, cookie');
      expect(answer.headers['content-security-policy']).toBeDefined();
    },
  );

  test.each([
    { path: '/', headers: SESSION },
    { path: '/login', headers: SESSION },
    { path: '/register', headers: {} },
    { path: '/Register/', headers: {} },
    { path: '/index.html', headers: {} },
  ])('is the shell otherwise: $path $headers', async ({ path, headers }) => {
    const { text } = await send(server.port, path, { headers });
    expect(text).toContain('<div id="root"></div>');
  });

  test('has another tag than the shell, so a browser that signed in gets the shell', async () => {
    const { etag } = (await send(server.port, '/')).headers;
    const headers = { ...SESSION, 'if-none-match': String(etag) };
    expect((await send(server.port, '/', { headers })).status).toBe(200);
  });
});

describe('files', () => {
  test.each(['/assets', '/assets?x'])('%s is a page like any other', async (path) => {
    const answer = await send(server.port, path);
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-cache, no-transform');
  });

  test.each([
    '/assets/nope.js',
    '/%61ssets/nope.js',
    '/x/../assets/nope.js',
    '/./assets/nope.js',
    'http://localhost/assets/nope.js',
  ])('a missing asset is not found, however its path is written: %s', async (path) => {
    const answer = await send(server.port, path);
    expect(answer.status).toBe(404);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test('hashed assets are immutable', async () => {
    const answer = await send(server.port, SCRIPT);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  // Parts of two builds must never be combined.
  test('a range request gets the whole file', async () => {
    const headers = { range: 'bytes=5-9', 'if-range': '"of another build"' };
    const answer = await send(server.port, SCRIPT, { headers });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('export const text');
    expect(answer.headers['content-range']).toBeUndefined();
  });

  test.each([
    ['/sw.js', 'text/javascript; charset=utf-8'],
    ['/manifest.webmanifest', 'application/manifest+json'],
  ])('%s is revalidated each time', async (path, type) => {
    const answer = await send(server.port, path);
    expect(answer.headers['content-type']).toBe(type);
    expect(answer.headers['cache-control']).toBe('no-cache, no-transform');
  });
});

test('the icon of notifications is cached for a week, but not its absence', async () => {
  const icon = await send(server.port, '/icon-192.png');
  expect(icon.status).toBe(200);
  expect(icon.headers['content-type']).toBe('image/png');
  expect(icon.headers['cache-control']).toBe('public, max-age=604800');
  rmSync(join(server.dist, 'icon-192.png'));
  const missing = await send(server.port, '/icon-192.png');
  expect(missing.status).toBe(404);
  expect(missing.headers['cache-control']).toBe('no-store');
});

describe('compression', () => {
  const read = async (accepted: string): Promise<[encoding: string, text: string]> => {
    const answer = await fetch(`http://127.0.0.1:${server.port}${SCRIPT}`, {
      headers: { 'accept-encoding': accepted },
    });
    return [answer.headers.get('content-encoding') ?? 'identity', await answer.text()];
  };

  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['BR;q=0, GZIP;q=0.5', 'gzip'],
    ['identity', 'identity'],
    ['brotli', 'identity'],
  ])('for %s is %s', async (accepted, encoding) => {
    const [used, text] = await read(accepted);
    expect(used).toBe(encoding);
    expect(text).toContain('replay replay');
  });

  test('makes the response smaller and sets Vary', async () => {
    const plain = await send(server.port, SCRIPT);
    const packed = await send(server.port, SCRIPT, { headers: { 'accept-encoding': 'br' } });
    expect(Number(packed.headers['content-length'])).toBeLessThan(plain.text.length / 5);
    expect(packed.headers['vary']).toBe('accept-encoding');
    expect(plain.headers['vary']).toBe('accept-encoding');
    // A strong tag identifies exactly these bytes.
    expect(packed.headers['etag']).not.toBe(plain.headers['etag']);
    const known = { 'if-none-match': String(packed.headers['etag']), 'accept-encoding': 'br' };
    const again = await send(server.port, SCRIPT, { headers: known });
    expect([again.status, again.text]).toEqual([304, '']);
    expect(again.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  test('excludes pictures', async () => {
    const answer = await send(server.port, '/assets/photo-abc123.png', {
      headers: { 'accept-encoding': 'br, gzip' },
    });
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.headers['content-type']).toBe('image/png');
  });
});

test('while too many files are open, a page is refused for a moment, without an alarm', async () => {
  const full = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
  const refuse = vi.fn<() => never>(() => {
    throw full;
  });
  const opening = [
    vi.spyOn(fs, 'openSync').mockImplementation(refuse),
    vi.spyOn(fs, 'createReadStream').mockImplementation(() => {
      const refused = new Readable({ construct: (callback) => callback(full) });
      return refused as fs.ReadStream;
    }),
  ];
  syncBuiltinESMExports();
  const before = server.log().length;
  const answers = [await send(server.port, '/'), await send(server.port, '/')];
  for (const one of opening) one.mockRestore();
  syncBuiltinESMExports();
  expect(answers.map(({ status, headers }) => [status, headers['retry-after']])).toEqual([
    [503, '1'],
    [503, '1'],
  ]);
  const lines = server.log().slice(before);
  expect(lines).not.toContain('"level":50');
  expect(lines.split('too many files are open')).toHaveLength(2);
  expect((await send(server.port, '/')).status).toBe(200);
});

test('without a build, pages explain what to do', async () => {
  const bare = await startWebServer();
  await bare.close();
  const { parseConfig } = await import('#server/config/config.ts');
  const { startServer } = await import('#server/app/main.ts');
  const config = parseConfig({ PORT: '0', DATA_DIR: bare.dataDir, LOG_LEVEL: 'silent' });
  if (!config.ok) throw new Error('refused');
  const started = await startServer(config.value, { dist: join(bare.dist, 'nowhere') });
  if (!started.ok) throw new Error(started.error);
  const answer = await send(started.value.port, '/');
  expect(answer.status).toBe(503);
  expect(answer.json()['error']).toContain('npm run build');
  await started.value.close();
  await bare.dispose();
});
