import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { BREACHES, PASSAGES } from './boundaries.ts';

/** Calls of the environment that compile without types for it. */
const CLOCKS = ['Date.now()', 'Math.random()'];
/** Globals of browsers and of Node. */
const GLOBALS = [
  'document',
  'window',
  'navigator',
  'localStorage',
  'indexedDB',
  'fetch',
  'setTimeout',
  'process',
];
const PURE = ['domain', 'machines'];

/** A file with one statement, and the file's path. */
interface Probe {
  readonly file: string;
  readonly what: string;
  readonly text: string;
}

const toProbes = (
  kind: string,
  folders: readonly string[],
  list: (folder: string) => readonly string[],
  toText: (what: string) => string,
): readonly Probe[] =>
  folders.flatMap((folder) =>
    list(folder).map((what, index) => ({
      file: `${folder}/${kind}-${index}.ts`,
      what,
      text: `${toText(what)}\n`,
    })),
  );

const toImports = (kind: string, table: Readonly<Record<string, readonly string[]>>) =>
  toProbes(
    kind,
    Object.keys(table),
    (folder) => table[folder] ?? [],
    (what) => `import * as probe from '${what}';\n\nexport { probe };`,
  );

const toValue = (what: string): string => `export const probe = ${what};`;

const breaches = toImports('breach', BREACHES);
const passages = toImports('passage', PASSAGES);
const clocks = toProbes('clock', PURE, () => CLOCKS, toValue);
const globals = toProbes('global', PURE, () => GLOBALS, toValue);

let house = '';
/** The output of the linter and of the compiler, a line for each error. */
let lines: readonly string[] = [];

const run = (tool: string, args: readonly string[]): Promise<readonly string[]> =>
  new Promise((settle) => {
    const path = resolve('node_modules/.bin', tool);
    execFile(path, args, { cwd: house }, (_error, stdout) => settle(stdout.split('\n')));
  });

beforeAll(async () => {
  house = await mkdtemp(join(tmpdir(), 'replay-desk-walls-'));
  await symlink(resolve('node_modules'), join(house, 'node_modules'));
  const projects = PURE.map((folder) => `${folder}/tsconfig.json`);
  const files = ['.oxlintrc.json', 'package.json', 'tsconfig.base.json', ...projects];
  await Promise.all(files.map((file) => cp(file, join(house, file))));
  for (const { file, text } of [...breaches, ...passages, ...clocks, ...globals]) {
    await mkdir(join(house, dirname(file)), { recursive: true });
    await writeFile(join(house, file), text);
  }
  const outputs = await Promise.all([
    run('oxlint', ['--format=unix', '.']),
    ...PURE.map((folder) => run('tsc', ['-p', folder, '--pretty', 'false'])),
  ]);
  lines = outputs.flat();
});

afterAll(() => rm(house, { recursive: true, force: true }));

/** Whether an error about this file names all of these. */
const isRefused = ({ file }: Probe, ...texts: readonly string[]): boolean =>
  lines.some((line) => [file, ...texts].every((text) => line.includes(text)));

describe('the import boundaries between the folders', () => {
  test.each(breaches)('$file may not import $what', (probe) => {
    expect(isRefused(probe, 'no-restricted-imports')).toBe(true);
  });

  test.each(passages)('$file may import $what', (probe) => {
    expect(isRefused(probe, 'no-restricted-imports')).toBe(false);
  });
});

describe('the domain and the machines do not depend on their environment', () => {
  test.each(clocks)('$file may not call $what', (probe) => {
    expect(isRefused(probe, 'no-restricted-properties')).toBe(true);
  });

  test.each(globals)('$file may not use $what', (probe) => {
    expect(isRefused(probe, 'Cannot find name', `'${probe.what}'`)).toBe(true);
  });
});
