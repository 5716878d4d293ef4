import { afterAll, describe, expect, it } from 'vitest';

import { catchMutation, MUTATION_NAMES, toCatchLine } from './gate.ts';
import { toPlan } from './plan.ts';
import { REGRESSIONS } from './regressions.ts';
import { toReport, toTallyLine } from './report.ts';
import { runSeeds } from './run-seeds.ts';
import { shrink } from './shrink.ts';
import { Workers } from './workers.ts';

const SEEDS = 500;
const LIMIT_MS = 240_000;
const SHRUNK_MAX = 2;

/** `SIM_MUTATION="retry limit 5" npm test` breaks the program on purpose. */
const MUTATION = process.env['SIM_MUTATION'] ?? 'none';

const workers = new Workers();
afterAll(() => workers.close());

describe('the program under faults', () => {
  it(
    `keeps every promise in ${SEEDS} seeds`,
    async () => {
      const started = performance.now();
      const tally = await runSeeds(workers, { from: 1, count: SEEDS, mutation: MUTATION });
      console.log(toTallyLine(tally, (performance.now() - started) / 1000));
      const reports: string[] = [];
      for (const failure of tally.failures.slice(0, SHRUNK_MAX)) {
        reports.push(toReport(await shrink(workers, failure, MUTATION)));
      }
      expect(reports.join('\n\n')).toBe('');
    },
    LIMIT_MS,
  );

  it.each(REGRESSIONS)('keeps them in seed $seed: $story', async ({ seed, cut }) => {
    const { violation, lines } = await workers.run({
      seed,
      mutation: MUTATION,
      ...(cut && { cut }),
    });
    expect(violation && lines.join('\n')).toBeUndefined();
  });
});

describe('a broken program', () => {
  it.each(MUTATION_NAMES)(
    'is caught: %s',
    async (mutation) => {
      const result = await catchMutation(workers, mutation, true);
      console.log(toCatchLine(result));
      expect(result.caught).toBeGreaterThan(0);
    },
    LIMIT_MS,
  );
});

describe('a seed', () => {
  it('tells the same story every time and in every process', async () => {
    const [one, two] = await Promise.all([
      workers.run({ seed: 7, mutation: 'none' }),
      workers.run({ seed: 7, mutation: 'none' }),
    ]);
    expect(one.lines.length).toBeGreaterThan(20);
    expect(two).toEqual(one);
  });

  it('that fails is made smaller', { timeout: LIMIT_MS }, async () => {
    const mutation = 'row deleted before sending';
    const { failures } = await runSeeds(workers, { from: 1, count: 20, mutation });
    const [failure] = failures;
    if (failure === undefined) throw new Error('No seed failed');
    const { cut, outcome } = await shrink(workers, failure, mutation);
    expect(outcome.violation?.invariant).toBe(failure.violation?.invariant);
    const [before, after] = [toPlan(failure.seed), toPlan(failure.seed, cut)];
    expect(after.faults.size).toBeLessThan(before.faults.size);
    expect(after.events.length).toBeLessThan(before.events.length);
  });
});
