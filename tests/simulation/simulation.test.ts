import { afterAll, describe, expect, it } from 'vitest';

import { catchMutation, MUTATION_NAMES, toCatchLine } from './gate/gate.ts';
import { toPlan } from './plan.ts';
import { REGRESSIONS } from './seeds/regressions.ts';
import { toReport, toTallyLine } from './seeds/report.ts';
import { runSeeds, type Tally } from './seeds/run-seeds.ts';
import { shrink } from './seeds/shrink.ts';
import { Workers } from './seeds/workers.ts';

/** Every run uses the same seeds; `EXPLORE_SEED=n` uses those starting at n. */
const FIRST_SEED = Number(process.env['EXPLORE_SEED'] ?? 1);
const SEEDS = 500;
/** The seeds have no time limit; a worker ends a hanging seed. */
const NO_LIMIT = 0;
const PROGRESS_EVERY = 25;
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
      let reportedSeeds = 0;
      const report = (tally: Tally): void =>
        console.log(toTallyLine(tally, (performance.now() - started) / 1000));
      const range = { from: FIRST_SEED, count: SEEDS, mutation: MUTATION };
      const tally = await runSeeds(workers, range, (soFar) => {
        if (soFar.seeds >= reportedSeeds + PROGRESS_EVERY) {
          reportedSeeds = soFar.seeds;
          report(soFar);
        }
        return false;
      });
      report(tally);
      const reports: string[] = [];
      for (const failure of tally.failures.slice(0, SHRUNK_MAX)) {
        reports.push(toReport(await shrink(workers, failure, MUTATION)));
      }
      expect(reports.join('\n\n')).toBe('');
    },
    NO_LIMIT,
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
    NO_LIMIT,
  );
});

describe('a seed', () => {
  it('replays identically in every process', async () => {
    const seed = { seed: 7, mutation: 'none' };
    const fresh = new Workers();
    const first = await fresh.run(seed);
    const again = await fresh.run(seed);
    fresh.close();
    expect(first.lines.length).toBeGreaterThan(20);
    expect(again).toEqual(first);
    // These workers ran other seeds before.
    expect(await Promise.all([workers.run(seed), workers.run(seed)])).toEqual([first, first]);
  });

  it('is shrunk if it fails', { timeout: NO_LIMIT }, async () => {
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
