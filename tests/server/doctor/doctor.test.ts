import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { checkDisk, checkNode } from '#server/doctor/check-environment.ts';
import { type HostedServer, KEYS, startHostedServer } from '#tests/support/scenes/hosted-server.ts';
import { startHostedEngine } from '#tests/support/scenes/hosted-scene.ts';
import { answerJson } from '#tests/support/services/product-api.ts';
import { runScript } from '#tests/support/process/node-process.ts';
import { mustOpen } from '#tests/support/server/realtime-server.ts';
import { startWebServer } from '#tests/support/server/web-server.ts';
import { startStoreServer } from '#tests/support/services/store-server.ts';

let folder: string;
let dataDir: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'replay-desk-doctor-'));
  dataDir = join(folder, 'data');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const examine = async (
  variables: Readonly<Record<string, string>> = {},
  ...args: readonly string[]
): Promise<{ readonly code: number | string; readonly text: string }> => {
  // Without a PATH no browser is found; otherwise the doctor would start one to test it.
  const settings = { PATH: '', PORT: '0', DATA_DIR: dataDir, ...variables };
  const doctor = runScript('server/bin/doctor.ts', args, settings);
  doctor.endInput();
  return { code: await doctor.exited, text: doctor.output() };
};

const layData = async (): Promise<void> => (await mustOpen(dataDir, true)).close();

describe('the doctor on a healthy machine', () => {
  test('finds no problem before the first start, and creates nothing', async () => {
    const { code, text } = await examine();
    expect(text).toContain('No problems found.');
    expect(code).toBe(0);
    expect(text).toMatch(/ok +settings +staff data embedded, realtime embedded/);
    expect(text).toMatch(/ok +data .* will be created at the first start/);
    expect(statSync(dataDir, { throwIfNoEntry: false })).toBeUndefined();
  });

  test('reports intact data', async () => {
    await layData();
    const { code, text } = await examine();
    expect(text).toMatch(/ok +database +intact, 2 accounts, 16 clients, \d{3,} messages/);
    expect(code).toBe(0);
  });

  test('works beside a running server', async () => {
    const server = await startWebServer();
    const settings = { PORT: String(server.port), DATA_DIR: server.dataDir };
    const { code, text } = await examine(settings);
    expect(text).toMatch(/note +port .*: Replay Desk [\d.]+ is running there/);
    expect(text).toMatch(/note +data .* is in use by a running server/);
    expect(text).toMatch(/ok +database +intact/);
    expect(code).toBe(0);
    // A proxy is for other servers; nothing listens on this port.
    const proxied = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://127.0.0.1:1' };
    expect((await examine({ ...settings, ...proxied })).text).toMatch(/note +port /);
    await server.dispose();
  });
});

describe('the browser for the tests', () => {
  test('is reported, whether there is one or not', async () => {
    const { text } = await examine({ PATH: process.env['PATH'] ?? '' });
    expect(text).toMatch(/ok +browser +\S+ for the tests|note +browser +No Chromium/);
  });

  test('is missing without an error, and the three ways to get one are listed', async () => {
    const { code, text } = await examine();
    expect(text).toMatch(/note +browser +No Chromium was found/);
    for (const way of ['1. ', '2. ', '3. ']) expect(text).toContain(way);
    expect(code).toBe(0);
  });
});

describe('the doctor reports', () => {
  test('demo accounts on a server that others can reach', async () => {
    const isNoted = async (variables: Readonly<Record<string, string>>) =>
      (await examine({ PUBLIC_URL: 'https://desk.example.com', ...variables })).text.includes(
        'the passwords of the demo accounts are public',
      );
    expect(await isNoted({})).toBe(true);
    expect(await isNoted({ DEMO: 'false' })).toBe(false);
    expect(await isNoted({ PUBLIC_URL: 'http://localhost:4600' })).toBe(false);
  });

  test('every invalid setting', async () => {
    const { code, text } = await examine({ PORT: 'x', API_BASE_URL: 'nowhere' });
    expect(text).toContain('PORT is "x": expected a whole number');
    expect(text).toContain('API_BASE_URL is "nowhere": expected an http or https address');
    expect(text).toContain('2 problems found.');
    expect(code).toBe(1);
  });

  test('a port that another program uses', async () => {
    const other = createServer((socket) => socket.end('no http\r\n\r\n')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, text } = await examine({ PORT: String(port) });
    expect(text).toContain(`${port} on 127.0.0.1 is taken by another program`);
    expect(code).toBe(1);
    other.close();
  });

  test('a folder without write permission', async () => {
    writeFileSync(join(folder, 'file'), '');
    const { code, text } = await examine({ DATA_DIR: join(folder, 'file', 'data') });
    expect(text).toContain('this user cannot write to');
    expect(code).toBe(1);
  });

  test('a damaged database', async () => {
    await layData();
    const file = await open(join(dataDir, 'desk.sqlite'), 'r+');
    const { size } = await file.stat();
    const PAGE_BYTES = 4096;
    await file.write(Buffer.alloc(size - 2 * PAGE_BYTES, 0x5a), 0, undefined, 2 * PAGE_BYTES);
    await file.close();
    const { code, text } = await examine();
    expect(text).toMatch(/bad +database .*restore a backup/);
    expect(code).toBe(1);
  });

  test('a database of a newer program', async () => {
    await layData();
    const sql = new DatabaseSync(join(dataDir, 'desk.sqlite'));
    sql.exec('PRAGMA user_version = 999');
    sql.close();
    expect(await examine()).toMatchObject({
      code: 1,
      text: expect.stringContaining('written by a newer Replay Desk') as string,
    });
  });

  test('a secret that others can read', async () => {
    await layData();
    const file = join(dataDir, 'auth-secret');
    writeFileSync(file, 'x'.repeat(64));
    chmodSync(file, 0o644);
    expect((await examine()).text).toContain(`${file} can be read by other users`);
  });

  test('a damaged secret, or one that cannot be read', async () => {
    await layData();
    const file = join(dataDir, 'auth-secret');
    writeFileSync(file, Buffer.alloc(64), { mode: 0o600 });
    const damaged = await examine();
    expect(damaged.text).toMatch(
      /bad +secret .* is damaged: restore it from the backup, or the next start signs everyone out/,
    );
    expect(damaged.code).toBe(1);
    rmSync(file);
    mkdirSync(file, { mode: 0o700 });
    const unreadable = await examine();
    expect(unreadable.text).toMatch(/bad +secret .*EISDIR/);
    expect(unreadable.code).toBe(1);
  });

  test('an old Node, and the free space on the disk', () => {
    expect(checkNode('22.12.0')).toMatchObject({ state: 'bad' });
    expect(checkNode('24.0.0')).toMatchObject({ state: 'ok' });
    expect(checkDisk(folder, false).text).toMatch(/^\d+ MB free for /);
    // This file system has no space at all.
    expect(checkDisk('/proc', false)).toMatchObject({ state: 'bad' });
    expect(checkDisk('/proc', true)).toMatchObject({ state: 'note' });
  });

  test('an unknown argument', async () => {
    expect(await examine({}, '--fix')).toMatchObject({ code: 2 });
  });
});

describe('hosted services', () => {
  let backend: HostedServer;
  beforeEach(async () => {
    backend = await startHostedServer();
  });
  afterEach(() => backend.dispose());

  const withSecret = () => backend.toSettings({ PUBNUB_SECRET_KEY: KEYS.secretKey });

  test('are checked only on request', async () => {
    const { code, text } = await examine(withSecret());
    expect(text).toContain('not checked: run npm run doctor -- --online');
    expect(text).toContain('neither SHARED_STORE_URL nor SIGN_OUT_DIR is set');
    expect(code).toBe(0);
    expect(backend.api.received).toHaveLength(0);
    expect(backend.engine.received).toHaveLength(0);
  });

  test('include a shared list of sign-outs, which must be writable', async () => {
    writeFileSync(join(folder, 'file'), '');
    const shared = { ...withSecret(), SIGN_OUT_DIR: join(folder, 'list') };
    expect((await examine(shared)).text).toMatch(/ok +sign-outs +shared in /);
    const { code, text } = await examine({ ...shared, SIGN_OUT_DIR: join(folder, 'file', 'x') });
    expect(text).toMatch(/bad +sign-outs .*this user cannot write to it/);
    expect(code).toBe(1);
  });

  test('include the shared store, whose password is not shown', async () => {
    const store = await startStoreServer();
    const { host } = new URL(store.url);
    const settings = { ...withSecret(), SHARED_STORE_URL: store.url };
    const well = await examine(settings);
    expect(well.text).toMatch(/ok +store +redis:\S+ answers: sign-outs/);
    expect(well.text).not.toMatch(/this instance only/);
    expect(well.code).toBe(0);
    const operator = new Redis(store.url, { protocol: 2 });
    await operator.config('SET', 'requirepass', 'another');
    const refused = await examine({ ...settings, SHARED_STORE_URL: `redis://:let-me-in@${host}` });
    operator.disconnect();
    expect(refused.text).toMatch(/bad +store +redis:\S+: .*nobody can sign in without it/);
    expect(refused.text).not.toContain('let-me-in');
    await store.dispose();
    const gone = await examine(settings);
    expect(gone.text).toMatch(/bad +store .*ECONNREFUSED/);
    expect(gone.code).toBe(1);
  });

  test('are checked over the network, and faults set the exit code', async () => {
    backend.api.answer = answerJson({}, 401);
    const { endpoint, env } = await startHostedEngine();
    const settings = { ...withSecret(), ...env, DEMO: 'false' };
    const well = await examine(settings, '--online');
    expect(well.text).toMatch(/ok +messages +a test message came back/);
    expect(well.code).toBe(0);
    expect(well.text).not.toContain(env['PUBNUB_SECRET_KEY']);
    await endpoint.close();
    const silent = await examine(settings, '--online');
    expect(silent.text).toMatch(/bad +engine .*cannot be reached/);
    expect(silent.code).toBe(1);
  });
});
