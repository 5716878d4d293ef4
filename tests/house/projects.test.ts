import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { promisify } from 'node:util';

import * as z from 'zod';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const rootSchema = z.object({ references: z.array(z.object({ path: z.string() })) });

/** Files of the tree, leaving out what git ignores. */
const listSources = async (): Promise<readonly string[]> => {
  const { stdout } = await run('git', [
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    '*.ts',
    '*.tsx',
  ]);
  return stdout.split('\n').filter((line) => line !== '');
};

const listCompiled = async (project: string): Promise<readonly string[]> => {
  const tool = resolve('node_modules/.bin/tsc');
  const { stdout } = await run(tool, ['-p', project, '--listFilesOnly']);
  return stdout.split('\n').map((line) => relative('.', line));
};

test('every source file belongs to a compiler project', async () => {
  const root = rootSchema.parse(JSON.parse(await readFile('tsconfig.json', 'utf8')));
  const lists = await Promise.all(root.references.map(({ path }) => listCompiled(path)));
  const compiled = new Set(lists.flat());
  const outside = (await listSources()).filter((file) => !compiled.has(file));
  expect(outside).toEqual([]);
});
