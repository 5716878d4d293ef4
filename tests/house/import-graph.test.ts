import { glob } from 'node:fs/promises';

import { beforeAll, describe, expect, test } from 'vitest';

import {
  findCrowded,
  findEscapes,
  findRings,
  type ImportGraph,
  listImports,
  readSources,
  toFolderGraph,
  toImportGraph,
} from './import-graph.ts';

/** ARCHITECTURE.md, "Folders": a folder has at most this many code files. */
const MOST_FILES_IN_A_FOLDER = 16;

let sources: ReadonlyMap<string, string> = new Map();
let graph: ImportGraph = new Map();
beforeAll(async () => {
  sources = await readSources();
  graph = toImportGraph(sources);
});

const toGraph = (edges: Readonly<Record<string, readonly string[]>>): ImportGraph =>
  new Map(Object.entries(edges).map(([from, to]) => [from, new Set(to)]));

describe('the production code', () => {
  test('has no import cycle between files, including type imports', () => {
    expect(graph.size).toBeGreaterThan(300);
    expect(findRings(graph)).toEqual([]);
  });

  test('has no import cycle between folders', () => {
    expect(findRings(toFolderGraph(graph))).toEqual([]);
  });

  test('has no relative import into another part', () => {
    expect([...sources].flatMap(([file, text]) => findEscapes(file, text))).toEqual([]);
  });

  test('has no folder with too many files, and neither do the tests', async () => {
    expect(findCrowded(sources.keys(), MOST_FILES_IN_A_FOLDER)).toEqual([]);
    const tests: string[] = [];
    for await (const file of glob('tests/**/*.{ts,tsx}')) tests.push(file);
    expect(tests.length).toBeGreaterThan(300);
    expect(findCrowded(tests, MOST_FILES_IN_A_FOLDER)).toEqual([]);
  });
});

describe('a breach is found:', () => {
  test('two files that import each other', () => {
    const ring = toGraph({ 'a/x.ts': ['a/y.ts'], 'a/y.ts': ['a/x.ts'], 'a/z.ts': ['a/x.ts'] });
    expect(findRings(ring)).toEqual([['a/x.ts', 'a/y.ts']]);
  });

  test('three folders in a cycle without a cycle of files', () => {
    const files = toGraph({
      'a/x.ts': ['b/x.ts'],
      'b/x.ts': [],
      'b/y.ts': ['c/x.ts'],
      'c/x.ts': ['a/y.ts'],
      'a/y.ts': [],
    });
    expect(findRings(files)).toEqual([]);
    expect(findRings(toFolderGraph(files))).toEqual([['a', 'b', 'c']]);
  });

  test('every way to write an import', () => {
    const text = `
      import { a } from './a.ts';
      import type { B } from "../b.ts";
      export { c } from '#db/c.ts';
      import './d.css';
      const e = () => import('./e.ts');
      import zod from 'zod';
    `;
    expect(listImports('src/app/x.ts', text)).toEqual([
      'src/app/a.ts',
      'src/b.ts',
      'db/c.ts',
      'src/app/d.css',
      'src/app/e.ts',
    ]);
  });

  test('a relative import into another part', () => {
    const text = `import { a } from '../../shell/frame/a.ts'; import { b } from '../thread/b.ts';`;
    expect(findEscapes('src/chat/room/x.ts', text)).toEqual([
      'src/chat/room/x.ts → src/shell/frame/a.ts',
    ]);
  });

  test('a folder with too many code files; subfolders and styles are counted separately', () => {
    const files = ['a/1.ts', 'a/2.tsx', 'a/3.ts', 'a/4.css', 'a/b/1.ts', 'a/b/2.ts'];
    expect(findCrowded(files, 2)).toEqual(['a: 3']);
    expect(findCrowded(files, 3)).toEqual([]);
  });
});
