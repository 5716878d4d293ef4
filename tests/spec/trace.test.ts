import { globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { expect, test } from 'vitest';

import { runStep } from '#tests/runner/run-step.ts';

import { OPEN } from './open.ts';
import { STATEMENTS } from './statements.ts';
import { findUntraced, type TaggedTest } from './trace.ts';

const IDS = Object.keys(STATEMENTS);

const toTest = (id: string, overrides: Partial<TaggedTest> = {}): TaggedTest => ({
  file: 'e2e/chat/a.test.ts',
  title: `shows ${id}`,
  status: 'passed',
  tags: [id],
  ...overrides,
});

/** A run in which each statement has one test, changed by `change`; undefined removes it. */
const toRun = (change: (id: string) => Partial<TaggedTest> | undefined): readonly TaggedTest[] =>
  IDS.flatMap((id) => {
    const overrides = change(id);
    return overrides === undefined ? [] : [toTest(id, overrides)];
  });

test('statements are numbered without a gap, section by section', () => {
  const ids = IDS.map((id) => id.slice(1).split('.').map(Number));
  for (const section of [1, 2, 3, 4, 5, 6, 7, 8, 9]) {
    const found = ids.filter(([of]) => of === section).map(([, number]) => number);
    expect(found.length).toBeGreaterThan(0);
    expect(found).toEqual(found.map((_, index) => index + 1));
  }
});

test('every statement is a tag in the tests through the page or over HTTP', () => {
  // The whole run checks that these tests ran; this finds a missing one without running them.
  const files = globSync('tests/{e2e,server}/**/*.test.ts');
  const sources = files.map((path) => readFileSync(path, 'utf8')).join('\n');
  expect(IDS.filter((id) => !sources.includes(`'${id}'`))).toEqual([]);
});

test('a run that shows every statement has no fault, even if a test failed', () => {
  expect(findUntraced(toRun(() => ({})))).toEqual([]);
  expect(findUntraced(toRun(() => ({ status: 'failed' })))).toEqual([]);
});

test('every statement without a test is a fault', () => {
  for (const broken of IDS) {
    const faults = findUntraced(toRun((id) => (id === broken ? undefined : {})));
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(`${broken} has no test`);
  }
});

test('a statement needs a test through the page or over HTTP', () => {
  const faults = findUntraced(
    toRun((id) => (id === 'S4.10' ? { file: 'unit/domain/a.test.ts' } : {})),
  );
  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatch('S4.10 has no test');
});

test('a tagged test that did not run is a fault, beside one that did', () => {
  const idle = toTest('S4.10', { status: 'skipped' });
  expect(findUntraced([...toRun(() => ({})), idle])).toEqual([
    'skipped: e2e/chat/a.test.ts: shows S4.10',
  ]);
});

test('a tag that names no statement is a fault', () => {
  expect(findUntraced([...toRun(() => ({})), toTest('S4.99')])).toEqual([
    'no statement S4.99: e2e/chat/a.test.ts: shows S4.99',
  ]);
});

test('vitest reports tags, even of skipped tests, and refuses an unknown tag', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'replay-desk-trace-'));
  await mkdir(join(folder, 'e2e'));
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  const write = (name: string, given: string, how = ''): Promise<void> =>
    writeFile(
      join(folder, 'e2e', `${name}.test.js`),
      `import { test } from 'vitest';\ntest${how}(${given}, () => undefined);\n`,
    );
  await write('shown', "'runs', { tags: ['S1.1'] }");
  await write('idle', "'rests', { tags: ['S1.2'] }", '.skip');
  await write('unknown', "'is mistyped', { tags: ['S1.99'] }");
  const config = join(folder, 'vitest.config.js');
  const tags = JSON.stringify(['S1.1', 'S1.2'].map((name) => ({ name })));
  await writeFile(config, `export default { test: { strictTags: true, tags: ${tags} } };\n`);

  const outcome = await runStep(
    { name: 'fixture', command: ['vitest', 'run', '--root', folder], projects: ['x'], fast: true },
    {},
  );
  await rm(folder, { recursive: true, force: true });

  expect(outcome.tagged.map(({ title, status, tags: of }) => [title, status, of])).toEqual([
    ['rests', 'skipped', ['S1.2']],
    ['runs', 'passed', ['S1.1']],
  ]);
  expect(outcome.ok).toBe(false);
  expect(outcome.counts.reduce((sum, { failed }) => sum + failed, 0)).toBe(2);
});

test('no test is expected to fail', () => {
  const files = globSync('tests/**/*.test.{ts,tsx}');
  const expected = files.filter((path) =>
    /\.fails\(|\bfails: true/.test(readFileSync(path, 'utf8')),
  );
  expect(expected).toEqual([]);
});

test('every point that is left open has a decision', () => {
  expect(OPEN.length).toBeGreaterThan(0);
  expect(OPEN.filter(({ says, decision }) => says === '' || decision === '')).toEqual([]);
});
