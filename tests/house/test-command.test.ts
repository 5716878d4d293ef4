import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { TestCase } from 'vitest/node';

import ReportProgress from '#tests/runner/report-progress.ts';
import { readReport } from '#tests/runner/report.ts';
import { runStep } from '#tests/runner/run-step.ts';
import { STALL_MS, watchForStall } from '#tests/runner/stall-watch.ts';
import { chooseSteps, type Step, STEPS } from '#tests/runner/steps.ts';
import { toSummary } from '#tests/runner/summary.ts';
import { toTraceOutcome } from '#tests/runner/trace-outcome.ts';
import { STATEMENTS } from '#tests/spec/statements.ts';
import { TEST_MS_MAX, WAIT_MS_MAX } from '#tests/support/wait-for.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'replay-desk-counts-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const step = (name: string, command: Step['command']): Step => ({
  name,
  command,
  fast: true,
});

const writeReport = async (files: readonly object[]): Promise<string> => {
  const path = join(folder, 'report.json');
  await writeFile(path, JSON.stringify({ testResults: files }));
  return path;
};

const toResult = (status: string) => ({ status, fullName: status, tags: [] });

describe('counting', () => {
  test('tests are counted by folder; a skipped test is a failure', async () => {
    const path = await writeReport([
      {
        name: resolve('tests/db/a.test.ts'),
        status: 'passed',
        assertionResults: ['passed', 'passed'].map(toResult),
      },
      {
        name: resolve('tests/unit/b.test.ts'),
        status: 'failed',
        assertionResults: ['passed', 'failed', 'skipped'].map(toResult),
      },
    ]);
    expect((await readReport(path)).counts).toEqual([
      { name: 'db', passed: 2, failed: 0 },
      { name: 'unit', passed: 1, failed: 2 },
    ]);
  });

  test('a file that breaks before its first test is a failure', async () => {
    const path = await writeReport([
      { name: resolve('tests/db/a.test.ts'), status: 'failed', assertionResults: [] },
    ]);
    expect((await readReport(path)).counts).toEqual([{ name: 'db', passed: 0, failed: 1 }]);
  });

  test('a runner that leaves no report is a failure', async () => {
    const outcome = await runStep({ ...step('types', ['tsc', '--version']), projects: ['x'] }, {});
    expect(outcome.ok).toBe(false);
    expect(outcome.counts).toEqual([{ name: 'types', passed: 0, failed: 1 }]);
  });

  test('a failure has one line with the beginning of its message', async () => {
    const lost = { status: 'failed', fullName: 'a burst is sent', tags: [] };
    const path = await writeReport([
      {
        name: resolve('tests/db/a.test.ts'),
        status: 'failed',
        assertionResults: [
          toResult('passed'),
          toResult('skipped'),
          { ...lost, failureMessages: ['Error: \u001B[31mtwice\u001B[39m\n    at a.test.ts'] },
        ],
      },
      { name: resolve('tests/unit/b.test.ts'), status: 'failed', assertionResults: [] },
      {
        name: resolve('tests/e2e/c.test.ts'),
        status: 'failed',
        message: 'no server\n    at beforeAll',
        assertionResults: [toResult('skipped')],
      },
    ]);
    expect((await readReport(path)).failures).toEqual([
      'db/a.test.ts › skipped: skipped',
      'db/a.test.ts › a burst is sent: Error: twice',
      'unit/b.test.ts: failed outside its tests',
      'e2e/c.test.ts: no server',
    ]);
  });
});

describe('the closing line', () => {
  test('adds up checks and tests', async () => {
    const good = await runStep(step('good', ['tsc', '--version']), {});
    const bad = await runStep(step('bad', ['tsc', '--no-such-option']), {});
    const failures = ['db/a.test.ts › one: Error', 'db/a.test.ts › two: Error'];
    const suite = { ...good, counts: [{ name: 'db', passed: 7, failed: 2 }], failures };
    const { text, failed } = toSummary([good, bad, suite]);
    expect(text.split('\n').slice(-4)).toEqual([
      'FAILED db/a.test.ts › one: Error',
      'FAILED db/a.test.ts › two: Error',
      '',
      '8 passed, 3 failed',
    ]);
    expect(failed).toBe(3);
  });
});

describe('the trace of the specification', () => {
  test('counts statements that no test of the run shows as failures', async () => {
    const [first = '', ...others] = Object.keys(STATEMENTS);
    const toTagged = (tag: string) => ({
      file: 'e2e/a.test.ts',
      title: tag,
      status: 'passed',
      tags: [tag],
    });
    const e2e = await runStep(step('e2e', ['tsc', '--version']), {});
    const shown = { ...e2e, tagged: others.map(toTagged) };
    expect(toTraceOutcome([shown])).toMatchObject({ ok: false, counts: [{ failed: 1 }] });
    const service = { ...e2e, tagged: [toTagged(first)] };
    expect(toTraceOutcome([shown, service])).toMatchObject({ ok: true, counts: [{ passed: 1 }] });
  });
});

describe('a hang', () => {
  test('is a step without output, however long it runs', () => {
    vi.useFakeTimers();
    const stalled = vi.fn<() => void>();
    const watch = watchForStall(1000, stalled);
    for (let n = 1; n <= 100; n += 1) {
      vi.advanceTimersByTime(999);
      watch.note(`test ${n}`);
    }
    expect(stalled).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1000);
    expect(stalled).toHaveBeenCalledOnce();
    expect(watch.last()).toBe('test 100');
    vi.useRealTimers();
  });

  test('fails the step, with its last output', async () => {
    const script = join(folder, 'hang.sh');
    await writeFile(script, '#!/bin/sh\necho "test 2"\nsleep 600\n', { mode: 0o755 });
    const stuck = step('stuck', [relative('node_modules/.bin', script)]);
    const outcome = await runStep(stuck, {}, 5000);
    expect(outcome.ok).toBe(false);
    expect(outcome.reason).toBe('no progress for 5 s after "test 2"');
  });

  test('is reported long after a hanging test has failed by itself', () => {
    expect(STALL_MS).toBeGreaterThan(TEST_MS_MAX);
    expect(TEST_MS_MAX).toBeGreaterThan(WAIT_MS_MAX);
  });

  test('is not reported for a suite of long tests', async () => {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    const reporter = new ReportProgress();
    const finished = { module: { relativeModuleId: 'tests/e2e/a.test.ts' }, fullName: 'sends' };
    for (const seconds of [5, 10, 30, 31]) {
      clock.mockReturnValue(seconds * 1000);
      reporter.onTestCaseResult(finished as TestCase);
    }
    const printed = write.mock.calls.map(([line]) => line);
    vi.restoreAllMocks();
    expect(printed).toEqual(['… 3 tests done, last: tests/e2e/a.test.ts: sends\n']);
  });
});

describe('choosing steps', () => {
  test('the fast run excludes steps that need a browser or a build', () => {
    const names = chooseSteps({ fast: true, only: undefined })?.map(({ name }) => name);
    expect(names).not.toContain('e2e');
    expect(names).not.toContain('build');
    expect(names).toContain('types');
  });

  test('exploring adds the simulation, with a new seed', () => {
    const toNames = (explore: boolean) =>
      chooseSteps({ fast: true, only: undefined, explore })?.map(({ name }) => name) ?? [];
    expect(toNames(true).filter((name) => !toNames(false).includes(name))).toEqual(['simulation']);
  });

  test('a name selects one step, or one project of a step', () => {
    expect(chooseSteps({ fast: false, only: 'lint' })?.map(({ name }) => name)).toEqual(['lint']);
    expect(chooseSteps({ fast: false, only: 'unit' })?.[0]?.projects).toEqual(['unit']);
    expect(chooseSteps({ fast: false, only: 'no-such-step' })).toBeUndefined();
  });

  test('browser and service steps start after those that take the whole machine', () => {
    const late = STEPS.filter((step) => step.late).map(({ name }) => name);
    expect(late).toEqual(['e2e', 'service']);
    expect(STEPS.filter(({ needsBrowser }) => needsBrowser).every((step) => step.late)).toBe(true);
  });

  test('a browser step adds the build; a run without a name has all steps', () => {
    expect(chooseSteps({ fast: false, only: 'e2e' })?.map(({ name }) => name)).toEqual([
      'build',
      'e2e',
    ]);
    expect(chooseSteps({ fast: false, only: undefined })).toEqual(STEPS);
  });
});
