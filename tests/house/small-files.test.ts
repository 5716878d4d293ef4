import { basename } from 'node:path/posix';

import { describe, expect, test } from 'vitest';

import { listLazyImports, readSources, toImportGraph } from './import-graph.ts';

/** A file with fewer lines and one importer belongs in its importer. */
const SMALL = 40;
/** As in `.oxlintrc.json`: an importer that would exceed it stays as it is. */
const LINES_MAX = 250;

/** Small files that stay separate, with the reason. */
const REASONS: Readonly<Record<string, string>> = {
  'db/user/bind-replica.ts':
    'a transaction over the tables; its importer, src/boot, may not use them',
  'domain/upcast.ts':
    'parses with a schema; its importer, db, may not import the library of schemas',
  'domain/text/seen-label.ts': 'a text rule with its own tests; its importer is a component',
  'server/doctor/check-services.ts':
    'tested on its own; its importer is an executable that runs on import',
  'server/embedded/accounts.ts': 'implements an interface of the server, like staff-data.ts',
  'server/sessions/device-name.ts': 'a table of browsers and systems with its own tests',
  'src/app/zod-jitless.ts': 'in the chunk of its library, so that it runs before any schema',
  'src/sw/server-paths.ts': 'tested on its own; its importer is the worker, which runs on import',
};

const countLines = (text: string): number => text.trimEnd().split('\n').length;

/** Components, hooks, ports and their implementations stay separate, however small. */
const standsAlone = (file: string): boolean =>
  file.endsWith('.tsx') ||
  basename(file).startsWith('use-') ||
  /^(?:domain\/ports|src\/adapters)\//.test(file);

/** Small code files that one other file imports, as `file → importer`. */
const findSmall = (sources: ReadonlyMap<string, string>): readonly string[] => {
  const importers = new Map<string, string[]>();
  for (const [file, targets] of toImportGraph(sources)) {
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), file]);
  }
  const lazy = new Set([...sources].flatMap(([file, text]) => listLazyImports(file, text)));
  return [...sources].flatMap(([file, text]) => {
    const [importer = '', ...others] = importers.get(file) ?? [];
    const lines = countLines(text);
    const isApart = standsAlone(file) || lazy.has(file) || file.endsWith('.css');
    if (isApart || lines >= SMALL || importer === '' || others.length > 0) return [];
    const together = lines + countLines(sources.get(importer) ?? '');
    return together > LINES_MAX ? [] : [`${file} → ${importer}`];
  });
};

const toFile = (line: string): string => line.split(' ')[0] ?? '';

test('no small file has only one importer', async () => {
  const found = findSmall(await readSources());
  expect(found.filter((line) => REASONS[toFile(line)] === undefined)).toEqual([]);
});

test('every exception is for a file that needs one', async () => {
  const found = new Set(findSmall(await readSources()).map(toFile));
  expect(Object.keys(REASONS).filter((file) => !found.has(file))).toEqual([]);
});

describe('the search for small files', () => {
  const ONE = "import { x } from './x.ts';\n";
  const find = (files: Readonly<Record<string, string>>) =>
    findSmall(new Map(Object.entries(files)));

  test('finds one with one importer', () => {
    expect(find({ 'db/a.ts': ONE, 'db/x.ts': 'x\n' })).toEqual(['db/x.ts → db/a.ts']);
  });

  test.each([
    ['with two importers', { 'db/a.ts': ONE, 'db/b.ts': ONE, 'db/x.ts': 'x\n' }],
    ['with none', { 'db/x.ts': 'x\n' }],
    ['loaded lazily', { 'db/a.ts': "const load = () => import('./x.ts');\n", 'db/x.ts': 'x\n' }],
    ['that is a hook', { 'db/a.ts': "import './use-x.ts';\n", 'db/use-x.ts': 'x\n' }],
    ['that is a component', { 'src/ui/a.tsx': "import './x.tsx';\n", 'src/ui/x.tsx': 'x\n' }],
    ['that is a port', { 'domain/a.ts': "import './ports/x.ts';\n", 'domain/ports/x.ts': 'x\n' }],
    ['of 40 lines', { 'db/a.ts': ONE, 'db/x.ts': 'x\n'.repeat(SMALL) }],
    ['too long together', { 'db/a.ts': `${ONE}${'a\n'.repeat(249)}`, 'db/x.ts': 'x\n' }],
  ])('skips one %s', (_what, files) => {
    expect(find(files)).toEqual([]);
  });
});
