import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { type NodeProcess, runScript } from '#tests/support/process/node-process.ts';
import { send } from '#tests/support/server/web-client.ts';

const SOURCES = ['server', 'src', 'domain', 'db', 'machines', 'public'];
const FILES = [
  'index.html',
  'vite.config.ts',
  'vite.plugins.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.base.json',
];

let root: string;
let runs: NodeProcess[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'replay-desk-start-'));
  for (const name of [...SOURCES, ...FILES]) {
    cpSync(resolve(name), join(root, name), { recursive: true });
  }
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
  runs = [];
});
afterEach(async () => {
  for (const { kill, exited } of runs) {
    kill('SIGKILL');
    await exited;
  }
  rmSync(root, { recursive: true, force: true });
});

/** `npm start` in a project without a build. */
const start = (name: string): NodeProcess => {
  const variables = { PORT: '0', DATA_DIR: join(root, name), LOG_LEVEL: 'silent' };
  const started = runScript(join(root, 'server/bin/start.ts'), [], variables);
  runs.push(started);
  return started;
};

const isCount = (text: string, part: string): number => text.split(part).length - 1;

test('of two concurrent starts on an old build, one builds and the other waits', async () => {
  const both = [start('one'), start('two')];
  for (const { waitForOutput } of both) await waitForOutput('Press Ctrl+C');
  const words = both.map(({ output }) => output()).join('');
  expect(isCount(words, 'Building the page')).toBe(1);
  for (const { output } of both) {
    const port = Number(/localhost:(\d+)/.exec(output())?.[1]);
    expect((await send(port, '/chat')).text).toContain('<script');
    expect((await send(port, '/sw.js')).text).toContain('shell.html');
  }
});

test('a start killed during the build leaves no partial page', async () => {
  const first = start('one');
  await first.waitForOutput('Building the page');
  first.kill('SIGKILL');
  await first.exited;
  expect(existsSync(join(root, 'dist/index.html'))).toBe(false);
  const second = start('two');
  await second.waitForOutput('Press Ctrl+C');
  expect(readFileSync(join(root, 'dist/sw.js'), 'utf8')).toContain('shell.html');
});
