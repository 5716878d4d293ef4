import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { findFreePort } from '#tests/support/process/free-port.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { createCookieClient, send } from '#tests/support/server/web-client.ts';

import { createLauncher, type Launched, type Launcher, START, waitForPort } from './launcher.ts';

const OWNER_BITS = 0o777;

let launcher: Launcher;
let folder: string;
const run = (variables?: Readonly<Record<string, string>>): Launched => launcher.start(variables);

beforeEach(() => {
  launcher = createLauncher();
  ({ folder } = launcher);
});
afterEach(() => launcher.dispose());

test('the server prints its address, the sign-ins, the services and the data folder', async () => {
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

test.each(['--help', '--bulit', 'dev'])(
  '%s is not an argument: the command prints its usage',
  async (given) => {
    const refused = launcher.launch([START, given]);
    expect(await refused.exited).toBe(2);
    await refused.closed;
    expect(refused.output()).toContain('Usage: npm start');
    expect(existsSync(join(folder, 'data'))).toBe(false);
  },
);

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

test('a .env file also sets variables that are blank in the environment', async () => {
  writeFileSync(join(folder, '.env'), 'DEMO=false\n');
  const started = run({ DEMO: ' ' });
  const port = await waitForPort(started);
  expect((await send(port, '/api/config')).json()).toMatchObject({ demo: false });
  expect(started.output()).not.toContain('producer@example.com');
});

test('a .env that cannot be read stops the start with the reason', async () => {
  mkdirSync(join(folder, '.env'));
  const started = run();
  expect(await started.exited).toBe(1);
  expect(started.output()).toMatch(
    /^Replay Desk did not start\.\n {2}\S+\/\.env cannot be read: EISDIR.*\n$/,
  );
});

test('a .env file may begin with a byte order mark', async () => {
  writeFileSync(join(folder, '.env'), '\uFEFFDEMO=false\n');
  const port = await waitForPort(run());
  expect((await send(port, '/api/config')).json()).toMatchObject({ demo: false });
});

test.each([{ HOST: '0.0.0.0' }, { PUBLIC_URL: 'https://desk.example' }])(
  'demo passwords on a public address cause a warning: %o',
  async (settings) => {
    const started = run(settings);
    await waitForPort(started);
    expect(started.output()).toContain('Set DEMO=false');
  },
);

test('output that cannot be written (full disk, closed terminal) does not end the process', async () => {
  const port = await findFreePort();
  // A file opened read-only refuses every write, like a full disk.
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
  launcher.add({ child, exited, closed: exited, output: () => '' });
  const isHealthy = () => send(port, '/api/health').then(({ status }) => status === 200);
  await waitFor('the server', () => isHealthy().catch(() => false));
  for (let n = 0; n < 20; n += 1) expect(await isHealthy()).toBe(true);
  expect(child.exitCode).toBeNull();
  closeSync(unwritable);
});
