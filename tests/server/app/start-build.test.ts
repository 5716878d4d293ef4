import {
  closeSync,
  cpSync,
  existsSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';

import { type NodeProcess, runScript } from '#tests/support/process/node-process.ts';
import { send } from '#tests/support/server/web-client.ts';

const SOURCES = ['server', 'src', 'domain', 'db', 'machines', 'public'];
const FILES = [
  'index.html',
  'vite.config.ts',
  'vite.documents.ts',
  'vite.plugins.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.base.json',
];

const scriptsSchema = z.object({ scripts: z.object({ build: z.string() }) });

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

/** `npm start` in the project, which has no build at first. */
const start = (name: string, ...args: readonly string[]): NodeProcess => {
  const variables = { PORT: '0', DATA_DIR: join(root, name), LOG_LEVEL: 'silent' };
  const started = runScript(join(root, 'server/bin/start.ts'), args, variables);
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
  const third = start('three', '--built');
  await third.waitForOutput('Press Ctrl+C');
  expect(third.output()).not.toContain('built from different sources');
  const fourth = start('four');
  await fourth.waitForOutput('Press Ctrl+C');
  expect(fourth.output()).not.toContain('Building the page');
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

test('a build of different sources is noticed, even if they are older than it', async () => {
  mkdirSync(join(root, 'dist'));
  writeFileSync(join(root, 'dist/index.html'), '<!doctype html><title>Before the rollback</title>');
  const built = start('one', '--built');
  await built.waitForOutput('Press Ctrl+C');
  expect(isCount(built.output(), 'the page was built from different sources')).toBe(1);
  const started = start('two');
  await started.waitForOutput('Building the page');
  started.kill('SIGKILL');
  await started.exited;
  expect(readFileSync(join(root, 'dist/index.html'), 'utf8')).toContain('Before the rollback');
});

test('a failed build reports the reason, and leaves the previous page as it was', async () => {
  mkdirSync(join(root, 'dist'));
  writeFileSync(join(root, 'dist/index.html'), '<!doctype html><title>Previous</title>');
  writeFileSync(join(root, 'dist/.sources'), 'of the previous page');
  writeFileSync(join(root, 'src/app/main.ts'), "import './lost.ts';\n");
  for (const [script, args] of [
    [join(root, 'server/bin/build.ts'), []],
    [resolve('node_modules/vite/bin/vite.js'), ['build', root]],
  ] as const) {
    const build = runScript(script, args, {});
    runs.push(build);
    expect(await build.exited).not.toBe(0);
    expect(build.output()).toContain('./lost.ts');
    expect(readFileSync(join(root, 'dist/.sources'), 'utf8')).toBe('of the previous page');
    expect(existsSync(join(root, 'dist/index.html.gz'))).toBe(false);
  }
});

test('npm run build keeps the previous page until the next one is complete', async () => {
  mkdirSync(join(root, 'dist'));
  writeFileSync(join(root, 'dist/index.html'), '<!doctype html><title>Previous</title>');
  const served = openSync(join(root, 'dist'), 'r');
  const { scripts } = scriptsSchema.parse(JSON.parse(readFileSync('package.json', 'utf8')));
  const build = runScript(join(root, scripts.build.replace(/^node /, '')), [], {});
  runs.push(build);
  expect(await build.exited).toBe(0);
  // Another folder took its place: this one was never emptied.
  expect(fstatSync(served).ino).not.toBe(statSync(join(root, 'dist')).ino);
  closeSync(served);
  expect(readFileSync(join(root, 'dist/sw.js'), 'utf8')).toContain('shell.html');
  expect(readdirSync(root).filter((name) => name.startsWith('dist'))).toEqual(['dist']);
});
