import type { Outcome } from './run-step.ts';

interface Row {
  readonly step: string;
  readonly tests: string;
  readonly seconds: string;
  readonly result: string;
}

const HEAD: Row = { step: 'step', tests: 'tests', seconds: 'seconds', result: 'result' };

const toResult = (failed: number, reason: string | undefined): string => {
  if (failed === 0) return 'passed';
  return reason ? `FAILED ${failed} (${reason})` : `FAILED ${failed}`;
};

/** One row per check; a suite has a row with its time, and its projects below. */
const toRows = (outcome: Outcome): readonly Row[] => {
  const { step, counts, seconds, reason } = outcome;
  const passed = counts.reduce((sum, count) => sum + count.passed, 0);
  const failed = counts.reduce((sum, count) => sum + count.failed, 0);
  const total = (value: number): string => (step.projects ? String(value) : '');
  const parts = counts.length > 1 ? counts : [];
  return [
    {
      step: step.name,
      tests: total(passed + failed),
      seconds: seconds.toFixed(1),
      result: toResult(failed, reason),
    },
    ...parts.map((count) => ({
      step: `  ${count.name}`,
      tests: String(count.passed + count.failed),
      seconds: '',
      result: toResult(count.failed, undefined),
    })),
  ];
};

/**
 * The table, the failures, and the closing line `N passed, M failed`, every check counted as one.
 */
export const toSummary = (outcomes: readonly Outcome[]): { text: string; failed: number } => {
  const rows = [HEAD, ...outcomes.flatMap(toRows)];
  const width = (key: keyof Row): number => Math.max(...rows.map((row) => row[key].length));
  const lines = rows.map((row) =>
    [
      row.step.padEnd(width('step')),
      row.tests.padStart(width('tests')),
      row.seconds.padStart(width('seconds')),
      row.result,
    ].join('  '),
  );
  const counts = outcomes.flatMap((outcome) => outcome.counts);
  const passed = counts.reduce((sum, count) => sum + count.passed, 0);
  const failed = counts.reduce((sum, count) => sum + count.failed, 0);
  const failures = outcomes.flatMap((outcome) => outcome.failures);
  const named = failures.length === 0 ? [] : ['', ...failures.map((line) => `FAILED ${line}`)];
  const closing = `${passed} passed, ${failed} failed`;
  return { text: [...lines, ...named, '', closing].join('\n'), failed };
};
