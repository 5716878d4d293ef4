import { expect, test } from 'vitest';

import { readSources } from './import-graph.ts';

/**
 * A transaction of Dexie: its mode comes first. A transaction of IndexedDB has its tables first.
 */
const BEGUN = /\.transaction\(\s*['"`]r/g;
/** A transaction with an inline async function as its scope. */
const BEGUN_ASYNC = /\.transaction\(\s*['"`]rw?['"`],\s*(?:\[[^\]]*\]|[\w.#]+),\s*async\s*\(/g;

const count = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length;

/** Whether a text begins a transaction with another scope, see decision 79. */
const hasOtherScope = (text: string): boolean => count(text, BEGUN) !== count(text, BEGUN_ASYNC);

test('the scope of every transaction is an async function', async () => {
  const sources = [...(await readSources())];
  expect(sources.filter(([, text]) => count(text, BEGUN) > 0).length).toBeGreaterThan(5);
  expect(sources.flatMap(([file, text]) => (hasOtherScope(text) ? [file] : []))).toEqual([]);
});

test.each([
  "db.transaction('r', db.entries, () => load(db))",
  "db.transaction('r', [db.entries, ...more], load)",
  'this.#db.transaction(\n  "rw",\n  this.#db.logged, () =>\n  Promise.all([]))',
  "db.transaction('rw', toTables(), async () => load(db))",
])('refuses %j', (text) => {
  expect(hasOtherScope(text)).toBe(true);
});
