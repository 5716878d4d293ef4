import { execFile } from 'node:child_process';
import { glob, readFile } from 'node:fs/promises';
import { join, normalize, resolve } from 'node:path';
import { promisify } from 'node:util';

import * as z from 'zod';
import { expect, test } from 'vitest';

import { ISOLATED } from '../../vitest.config.ts';

const run = promisify(execFile);
const rootSchema = z.object({ references: z.array(z.object({ path: z.string() })) });

const configSchema = z.object({ files: z.array(z.string()) });

const NOT_OURS = new Set(['node_modules', 'dist', '.cache', '.data', '.git']);

const listSources = async (): Promise<readonly string[]> => {
  const sources: string[] = [];
  const exclude = (name: string): boolean => NOT_OURS.has(name);
  for await (const file of glob('**/*.{ts,tsx}', { exclude })) sources.push(file);
  return sources;
};

/** The files that a project names, without those they import: listing these would parse them. */
const listCompiled = async (project: string): Promise<readonly string[]> => {
  const tool = resolve('node_modules/.bin/tsc');
  const { stdout } = await run(tool, ['-p', project, '--showConfig']);
  const { files } = configSchema.parse(JSON.parse(stdout));
  return files.map((file) => normalize(join(project, file)));
};

test('every source file belongs to a compiler project', async () => {
  const sources = await listSources();
  const root = rootSchema.parse(JSON.parse(await readFile('tsconfig.json', 'utf8')));
  const lists = await Promise.all(root.references.map(({ path }) => listCompiled(path)));
  const compiled = new Set(lists.flat());
  const outside = sources.filter((file) => !compiled.has(file));
  expect(outside).toEqual([]);
});

test('every test that replaces a module or counts requests of all databases has separate modules', async () => {
  const isolated: string[] = [];
  for await (const file of glob('tests/db/**/*.test.ts')) {
    const text = await readFile(file, 'utf8');
    if (/count-reads|IDB\w+\.prototype|prototype } = IDB|getPrototypeOf|vi\.mock\(/.test(text))
      isolated.push(file);
  }
  expect(isolated.toSorted()).toEqual([...ISOLATED]);
});
