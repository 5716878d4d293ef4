import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { waitFor } from '#tests/support/wait-for.ts';
import { createCookieClient, send } from '#tests/support/server/web-client.ts';

const START = resolve('server/bin/start.ts');
const OWNER_BITS = 0o777;

/** `npm start` as a separate process, without the build. */
interface Run {
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;
  /** Ended, and all of its output read. */
  readonly closed: Promise<unknown>;
  readonly output: () => string;
}

let folder: string;
let runs: Run[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'replay-desk-process-'));
  runs = [];
});
afterEach(async () => {
  for (const { child, exited } of runs) {
    if (child.exitCode === null) child.kill('SIGKILL');
    await exited;
  }
  rmSync(folder, { recursive: true, force: true });
});

const launch = (args: readonly string[], variables: Readonly<Record<string, string>> = {}): Run => {
  const env = {
    PATH: process.env['PATH'],
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    ...variables,
  };
  const child = spawn(process.execPath, args, { cwd: folder, env });
  const written: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => written.push(chunk.toString()));
  }
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const closed = once(child, 'close');
  const started: Run = { child, exited, closed, output: () => written.join('') };
  runs.push(started);
  return started;
};

const run = (variables?: Readonly<Record<string, string>>): Run =>
  launch([START, '--built'], variables);

const waitForPort = async ({ output, child }: Run): Promise<number> => {
  await waitFor('the greeting', () => {
    if (child.exitCode !== null) throw new Error(output());
    return output().includes('Press Ctrl+C');
  });
  return Number(/running at http:\/\/localhost:(?<port>\d+)/.exec(output())?.groups?.['port']);
};

test('prints its address, the sign-ins, the services and the data folder', async () => {
  const started = run();
  const port = await waitForPort(started);
  expect((await send(port, '/api/health')).status).toBe(200);
  for (const text of [
    'producer@example.com / producer',
    'team@example.com / teammate',
    'Staff data  embedded',
    'Realtime    embedded',
    join(folder, 'data'),
  ]) {
    expect(started.output()).toContain(text);
  }
  expect(statSync(join(folder, 'data', 'auth-secret')).mode & OWNER_BITS).toBe(0o600);
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends streams and the process with 0',
  async (signal) => {
    const started = run();
    const port = await waitForPort(started);
    const client = createCookieClient(port);
    await client.signIn();
    const { token } = (await client.send('/api/realtime/token')).json();
    const stream = await fetch(`http://127.0.0.1:${port}/api/realtime/stream`, {
      headers: { authorization: `Bearer ${String(token)}` },
    });
    started.child.kill(signal);
    await stream.text();
    expect(await started.exited).toBe(0);
  },
);

test('a second process on the same data is refused, and the first one continues', async () => {
  const first = run();
  const port = await waitForPort(first);
  const second = run();
  expect(await second.exited).toBe(1);
  expect(second.output()).toContain('in use by another Replay Desk');
  expect(second.output()).toContain('DATA_DIR');
  expect((await send(port, '/api/health')).status).toBe(200);
});

test('a port in use is named', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = address !== null && typeof address === 'object' ? String(address.port) : '';
  const started = run({ PORT: port });
  expect(await started.exited).toBe(1);
  expect(started.output()).toContain(`Port ${port} on 127.0.0.1 is taken`);
  other.close();
});

test('invalid settings stop the start and are all named, from .env too', async () => {
  writeFileSync(join(folder, '.env'), 'SESION_MAX_AGE=5\nLOG_LEVEL=loud\n');
  const started = run({ PORT: 'abc' });
  expect(await started.exited).toBe(1);
  expect(started.output()).toContain('Did you mean SESSION_MAX_AGE?');
  expect(started.output()).toContain('LOG_LEVEL is "loud": expected fatal, error,');
  expect(started.output()).toContain('PORT is "abc": expected a whole number from 0 to 65535');
});

test('a .env file sets variables that the environment does not', async () => {
  writeFileSync(join(folder, '.env'), `DEMO=false\nDATA_DIR=${join(folder, 'elsewhere')}\n`);
  const started = run();
  const port = await waitForPort(started);
  expect((await send(port, '/api/config')).json()).toMatchObject({ demo: false });
  expect(started.output()).not.toContain('producer@example.com');
  expect(started.output()).not.toContain('elsewhere');
});

test('demo passwords on a public address cause a warning', async () => {
  const started = run({ HOST: '0.0.0.0' });
  await waitForPort(started);
  expect(started.output()).toContain('Set DEMO=false');
});

test('output that cannot be written (full disk, closed terminal) does not end the process', async () => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  // A file opened read-only refuses every write, as a full disk does.
  const unwritable = openSync(START, 'r');
  const variables = { PORT: String(port), DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'debug' };
  const env = { PATH: process.env['PATH'], ...variables };
  const stdio = ['ignore', unwritable, unwritable] as const;
  const child = spawn(process.execPath, [START, '--built'], {
    cwd: folder,
    env,
    stdio: [...stdio],
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  runs.push({ child, exited, closed: exited, output: () => '' });
  const isHealthy = () => send(port, '/api/health').then(({ status }) => status === 200);
  await waitFor('the server', () => isHealthy().catch(() => false));
  for (let n = 0; n < 20; n += 1) expect(await isHealthy()).toBe(true);
  expect(child.exitCode).toBeNull();
  closeSync(unwritable);
});

/** Requests with so long a path fill a pipe, then the buffer, after a few lines. */
const LONG_PATH = `/api/${'x'.repeat(8000)}`;
const fillLog = async (port: number, requests: number): Promise<void> => {
  for (let n = 0; n < requests; n += 1) {
    expect((await send(port, LONG_PATH)).status).toBe(404);
  }
};

interface LogLine {
  readonly msg: string;
  readonly path?: string;
  readonly lines?: number;
}

/** The lines after the greeting; a truncated line throws. */
const readLog = ({ output }: Run): readonly LogLine[] =>
  output()
    .split('\n')
    .filter((line) => line.startsWith('{') || line.includes('xxx'))
    .map((line) => JSON.parse(line) as LogLine);

const findLong = (lines: readonly LogLine[]): readonly LogLine[] =>
  lines.filter(({ path }) => path === LONG_PATH);

test('a log reader that stops reading does not block, and missed lines are counted', async () => {
  const started = run({ LOG_LEVEL: 'debug' });
  const port = await waitForPort(started);
  started.child.stdout?.pause();
  const requests = 300;
  await fillLog(port, requests);
  expect((await send(port, '/api/health')).status).toBe(200);
  started.child.stdout?.resume();
  await waitFor('the count', () => started.output().includes('log lines dropped'));
  await send(port, '/api/last');
  await waitFor('the last line', () => started.output().includes('"path":"/api/last"'));
  const lines = readLog(started);
  const dropped = lines.filter(({ msg }) => msg === 'log lines dropped');
  expect(dropped).toHaveLength(1);
  expect(dropped[0]?.lines).toBeGreaterThan(0);
  const kept = lines.filter(({ msg, path }) => msg === 'request' && path !== '/api/last');
  // One more for the health request.
  expect(kept.length + (dropped[0]?.lines ?? 0)).toBe(requests + 1);
});

test('an orderly stop writes the pending lines', async () => {
  const started = run({ LOG_LEVEL: 'debug' });
  const port = await waitForPort(started);
  started.child.stdout?.pause();
  await fillLog(port, 100);
  started.child.kill('SIGTERM');
  started.child.stdout?.resume();
  expect(await started.exited).toBe(0);
  await started.closed;
  expect(findLong(readLog(started))).toHaveLength(100);
});

test('a log reader that never reads again does not keep the server from exiting', async () => {
  const started = run({ LOG_LEVEL: 'debug' });
  const port = await waitForPort(started);
  started.child.stdout?.pause();
  await fillLog(port, 100);
  started.child.kill('SIGTERM');
  expect(await started.exited).toBe(0);
});

test('lines written just before a fatal error are in the log', async () => {
  const log = pathToFileURL(resolve('server/kernel/log.ts')).href;
  const code = `import { createLog } from ${JSON.stringify(log)};
    const log = createLog('info');
    for (let n = 0; n < 100; n += 1) log.info({ n, filler: 'x'.repeat(1000) }, 'before');
    throw new Error('fatal');`;
  const started = launch(['--input-type=module', '--eval', code]);
  expect(await started.exited).toBe(1);
  await started.closed;
  expect(started.output()).toContain('Error: fatal');
  expect(readLog(started).filter(({ msg }) => msg === 'before')).toHaveLength(100);
});
