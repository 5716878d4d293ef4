import { expect, test } from 'vitest';

import { findTestFiles } from './find-tests.ts';
import { OPEN } from './open.ts';
import { TRACE } from './trace.ts';

const files = new Map(findTestFiles().map((file) => [file.name, file]));
const statements = Object.entries(TRACE);
/** Tests through the real page or over real HTTP. */
const REAL = /^(?:e2e|server)\//;

/** What is wrong with a test named in the trace; undefined if it exists and runs. */
const findFault = (named: string): string | undefined => {
  const cut = named.indexOf(': ');
  const file = files.get(named.slice(0, cut));
  if (file === undefined) return `no file ${named.slice(0, cut)}`;
  if (file.isSwitchedOff) return `${file.name} holds a test that does not simply run`;
  return file.titles.has(named.slice(cut + 2)) ? undefined : `no test "${named}"`;
};

test('every statement is shown by tests that exist and run', () => {
  const faults = statements.flatMap(([id, { shownBy }]) =>
    shownBy.flatMap((named) => findFault(named) ?? []).map((fault) => `${id}: ${fault}`),
  );
  expect(faults).toEqual([]);
});

test('every statement is shown through the real page or real HTTP', () => {
  const unseen = statements.filter(([, { shownBy }]) => shownBy.every((name) => !REAL.test(name)));
  expect(unseen).toEqual([]);
});

test('ids are numbered without a gap, section by section', () => {
  const ids = Object.keys(TRACE).map((id) => id.slice(1).split('.').map(Number));
  const sections = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  const numbers = sections.map((section) =>
    ids.filter(([of]) => of === section).map(([, number]) => number),
  );
  for (const found of numbers) {
    expect(found.length).toBeGreaterThan(0);
    expect(found).toEqual(found.map((_, index) => index + 1));
  }
});

test('no test names a statement that does not exist', () => {
  const named = [...files.values()].flatMap(({ titles }) =>
    [...titles].flatMap((title) => title.match(/\bS\d+\.\d+\b/g) ?? []),
  );
  expect(named.filter((id) => !(id in TRACE))).toEqual([]);
});

test('what is left open has a decision', () => {
  expect(OPEN.length).toBeGreaterThan(0);
  expect(OPEN.filter(({ says, decision }) => says === '' || decision === '')).toEqual([]);
});
