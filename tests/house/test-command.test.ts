import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { readCounts } from '#tests/runner/counts.ts';
import { runStep } from '#tests/runner/run-step.ts';
import { chooseSteps, type Step, STEPS } from '#tests/runner/steps.ts';
import { toSummary } from '#tests/runner/summary.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'replay-desk-counts-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const step = (name: string, command: Step['command']): Step => ({
  name,
  command,
  fast: true,
  limitMs: 20_000,
});

const writeReport = async (files: readonly object[]): Promise<string> => {
  const path = join(folder, 'report.json');
  await writeFile(path, JSON.stringify({ testResults: files }));
  return path;
};

describe('counting', () => {
  test('tests are counted by folder; a skipped test is no success', async () => {
    const path = await writeReport([
      {
        name: resolve('tests/db/a.test.ts'),
        status: 'passed',
        assertionResults: [{ status: 'passed' }, { status: 'passed' }],
      },
      {
        name: resolve('tests/unit/b.test.ts'),
        status: 'failed',
        assertionResults: [{ status: 'passed' }, { status: 'failed' }, { status: 'skipped' }],
      },
    ]);
    expect(await readCounts(path)).toEqual([
      { name: 'db', passed: 2, failed: 0 },
      { name: 'unit', passed: 1, failed: 2 },
    ]);
  });

  test('a file that breaks before its first test is a failure', async () => {
    const path = await writeReport([
      { name: resolve('tests/db/a.test.ts'), status: 'failed', assertionResults: [] },
    ]);
    expect(await readCounts(path)).toEqual([{ name: 'db', passed: 0, failed: 1 }]);
  });

  test('a runner that leaves no report is a failure', async () => {
    const outcome = await runStep({ ...step('types', ['tsc', '--version']), projects: ['x'] }, {});
    expect(outcome.ok).toBe(false);
    expect(outcome.counts).toEqual([{ name: 'types', passed: 0, failed: 1 }]);
  });
});

describe('the closing line', () => {
  test('adds checks and tests up', async () => {
    const good = await runStep(step('good', ['tsc', '--version']), {});
    const bad = await runStep(step('bad', ['tsc', '--no-such-option']), {});
    const suite = { ...good, counts: [{ name: 'db', passed: 7, failed: 2 }] };
    const { text, failed } = toSummary([good, bad, suite]);
    expect(text.split('\n').at(-1)).toBe('8 passed, 3 failed');
    expect(failed).toBe(3);
  });

  test('a step that takes too long is ended and failed', async () => {
    const outcome = await runStep({ ...step('slow', ['vitest', '--watch']), limitMs: 10 }, {});
    expect(outcome.ok).toBe(false);
    expect(outcome.reason).toMatch(/^not finished/);
  });
});

describe('choosing steps', () => {
  test('the fast run leaves out what needs a browser or a build', () => {
    const names = chooseSteps({ fast: true, only: undefined })?.map(({ name }) => name);
    expect(names).not.toContain('e2e');
    expect(names).not.toContain('build');
    expect(names).toContain('types');
  });

  test('one step, or one project of a step', () => {
    expect(chooseSteps({ fast: false, only: 'lint' })?.map(({ name }) => name)).toEqual(['lint']);
    expect(chooseSteps({ fast: false, only: 'unit' })?.[0]?.projects).toEqual(['unit']);
    expect(chooseSteps({ fast: false, only: 'no-such-step' })).toBeUndefined();
  });

  test('a browser step brings the build along; everything else is one run', () => {
    expect(chooseSteps({ fast: false, only: 'e2e' })?.map(({ name }) => name)).toEqual([
      'build',
      'e2e',
    ]);
    expect(chooseSteps({ fast: false, only: undefined })).toEqual(STEPS);
  });
});
