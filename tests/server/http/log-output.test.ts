import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { send } from '#tests/support/server/web-client.ts';
import { waitFor } from '#tests/support/wait-for.ts';

import { createLauncher, type Launched, type Launcher, START, waitForPort } from './launcher.ts';

let launcher: Launcher;
beforeEach(() => {
  launcher = createLauncher();
});
afterEach(() => launcher.dispose());

/** Requests with such a long path fill a pipe, then the buffer, after a few lines. */
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

/** The lines after the startup message; a truncated line throws. */
const readLog = ({ output }: Launched): readonly LogLine[] =>
  output()
    .split('\n')
    .filter((line) => line.startsWith('{') || line.includes('xxx'))
    .map((line) => JSON.parse(line) as LogLine);

const findLong = (lines: readonly LogLine[]): readonly LogLine[] =>
  lines.filter(({ path }) => path === LONG_PATH);

test('a log reader that stops reading does not block, and missed lines are counted', async () => {
  const started = launcher.start({ LOG_LEVEL: 'debug' });
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

test('a paused terminal does not block the server', async () => {
  const command = `${process.execPath} ${START} --built`;
  // `script` gives the command a terminal and passes on its output.
  const started = launcher.launch(['-qec', command, '/dev/null'], { LOG_LEVEL: 'debug' }, 'script');
  const port = await waitForPort(started);
  started.child.stdout?.pause();
  await fillLog(port, 100);
  expect((await send(port, '/api/health')).status).toBe(200);
  started.child.stdout?.resume();
  await waitFor('the last line', () => started.output().includes('"path":"/api/health"'));
});

test('an orderly stop writes the pending lines', async () => {
  const started = launcher.start({ LOG_LEVEL: 'debug' });
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
  const started = launcher.start({ LOG_LEVEL: 'debug' });
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
  const started = launcher.launch(['--input-type=module', '--eval', code]);
  expect(await started.exited).toBe(1);
  await started.closed;
  expect(started.output()).toContain('Error: fatal');
  expect(readLog(started).filter(({ msg }) => msg === 'before')).toHaveLength(100);
});
