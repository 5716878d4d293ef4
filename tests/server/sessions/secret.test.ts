import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { parseConfig } from '#server/config/config.ts';
import { runScript } from '#tests/support/process/node-process.ts';
import { makeDataDir, removeDataDir } from '#tests/support/server/realtime-server.ts';
import { createCookieClient } from '#tests/support/server/web-client.ts';
import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';

const SESSION = '/api/auth/session';
const OLD = 'the old secret of many instances, 32 bytes and more';
const NEW = 'the new secret of many instances, 32 bytes and more';
const OTHERS_BITS = 0o077;

const toMode = (path: string): number => statSync(path).mode & 0o777;

describe('the secret in the data folder', () => {
  let server: WebServer;
  beforeEach(async () => {
    server = await startWebServer({ LOG_LEVEL: 'warn' });
  });
  afterEach(() => server.dispose());

  test.each([
    ['cut off', 'too short'],
    ['empty', ''],
    ['zeros, as a power cut leaves them', '\0'.repeat(65)],
    ['control characters', '\u0001\u0002'.repeat(40)],
  ])('%s: is renamed, and the log states that everyone is signed out', async (_what, content) => {
    const file = join(server.dataDir, 'auth-secret');
    const whole = readFileSync(file, 'utf8');
    const client = createCookieClient(server.port);
    await client.signIn();
    writeFileSync(file, content);
    server = await server.restart();
    expect((await client.send(SESSION)).json()).toEqual({});
    const asides = readdirSync(server.dataDir).filter((name) => name.startsWith('auth-secret.'));
    expect(asides).toEqual([
      expect.stringMatching(/^auth-secret\.damaged-\d{4}-\d\d-\d\dT[\d-]+Z$/),
    ]);
    expect(readFileSync(join(server.dataDir, asides[0]!), 'utf8')).toBe(content);
    const fresh = readFileSync(file, 'utf8');
    expect(fresh).toMatch(/^[\w-]{64}\n$/);
    expect(fresh).not.toBe(whole);
    expect(server.log()).toMatch(
      /"level":40.*"renamedTo":"auth-secret\.damaged-.*everyone is signed out/,
    );
    expect(server.log()).not.toContain(fresh.trim());
  });

  test('a first start and an intact secret log nothing', async () => {
    server = await server.restart();
    expect(server.log()).toBe('');
  });
});

describe('AUTH_SECRET with its predecessor', () => {
  test('keeps sessions of the old one valid and moves them to the new one, which alone encrypts', async () => {
    let server = await startWebServer({ AUTH_SECRET: OLD });
    const { dataDir, dist, port } = server;
    const client = createCookieClient(port);
    await client.signIn();
    const sealedOld = new Map(client.cookies);
    const restart = async (variables: Readonly<Record<string, string>>): Promise<void> => {
      await server.close();
      const { startServer } = await import('#server/app/main.ts');
      const config = parseConfig({ PORT: String(port), DATA_DIR: dataDir, ...variables });
      if (!config.ok) throw new Error(config.error.join('\n'));
      const started = await startServer(config.value, { dist, logTo: { write: () => undefined } });
      if (!started.ok) throw new Error(started.error);
      server = { ...server, ...started.value };
    };
    await restart({ AUTH_SECRET: NEW, AUTH_SECRET_PREVIOUS: OLD });
    expect((await client.send(SESSION)).json()).toMatchObject({ user: { uid: 'u_producer' } });
    const cookie = [...sealedOld.keys()].find((name) => name.includes('session'))!;
    expect(client.cookies.get(cookie)).not.toBe(sealedOld.get(cookie));
    expect((await client.send('/api/realtime/token')).status).toBe(200);
    await restart({ AUTH_SECRET: NEW });
    expect((await client.send(SESSION)).json()).toMatchObject({ user: { uid: 'u_producer' } });
    const late = createCookieClient(port);
    for (const [name, value] of sealedOld) late.cookies.set(name, value);
    expect((await late.send(SESSION)).json()).toEqual({});
    await server.close();
  });

  test('is refused without AUTH_SECRET, or if too short, and is not shown', () => {
    const alone = parseConfig({ AUTH_SECRET_PREVIOUS: OLD });
    expect(alone.ok ? [] : alone.error).toEqual(['AUTH_SECRET_PREVIOUS requires AUTH_SECRET']);
    const short = parseConfig({ AUTH_SECRET: NEW, AUTH_SECRET_PREVIOUS: 'short' });
    const text = short.ok ? '' : short.error.join('\n');
    expect(text).toContain('AUTH_SECRET_PREVIOUS');
    expect(text).not.toContain('"short"');
  });
});

describe('a data folder that others may enter', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = join(makeDataDir(), 'data');
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o755);
  });
  afterEach(() => removeDataDir(join(dataDir, '..')));

  /** Runs a server as `npm start` does, until it answers. */
  const start = async (): Promise<void> => {
    const server = runScript('server/bin/start.ts', ['--built'], { DATA_DIR: dataDir, PORT: '0' });
    await server.waitForOutput('Press Ctrl+C');
    server.kill('SIGKILL');
    await server.exited;
  };
  /** The page itself is public: its old assets keep the modes of the build. */
  const listOpen = (): readonly string[] =>
    readdirSync(dataDir).filter(
      (name) => name !== 'page-assets' && (toMode(join(dataDir, name)) & OTHERS_BITS) !== 0,
    );

  test('gets no file that others can read', async () => {
    await start();
    expect(readdirSync(dataDir)).toEqual(
      expect.arrayContaining(['auth-secret', 'desk.lock', 'desk.sqlite', 'desk.sqlite-wal']),
    );
    expect(listOpen()).toEqual([]);
  });

  test('has files of an older version closed at the next start', async () => {
    await start();
    for (const name of ['desk.sqlite', 'desk.sqlite-wal', 'desk.lock', 'auth-secret']) {
      chmodSync(join(dataDir, name), 0o644);
    }
    await start();
    expect(listOpen()).toEqual([]);
  });

  test('causes a warning of the doctor, unlike a private one', async () => {
    await start();
    const ask = async (): Promise<string> => {
      const doctor = runScript('server/bin/doctor.ts', [], { DATA_DIR: dataDir, PORT: '0' });
      await doctor.exited;
      return doctor.output();
    };
    expect(await ask()).toContain(`${dataDir} can be entered by other users: run chmod 700 on it`);
    chmodSync(dataDir, 0o700);
    expect(await ask()).not.toContain('can be entered by other users');
  });
});
