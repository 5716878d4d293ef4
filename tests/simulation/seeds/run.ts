/**
 * Long simulation runs: `npm run sim -- --seeds N [--seed S]` runs N seeds, starting at S, on all
 * processors; `--mutation NAME` runs them on a broken variant, `--gate` all broken variants.
 * Failing seeds are printed, the first ones in their smallest form. Exits with 1 on a failure.
 */
import { parseArgs } from 'node:util';

import { catchMutation, MUTATION_NAMES, toCatchLine } from '../gate/gate.ts';
import { toFailureLine, toReport, toTallyLine } from './report.ts';
import { runSeeds, type SeedRange, type Tally } from './run-seeds.ts';
import { shrink } from './shrink.ts';
import { Workers } from './workers.ts';

const PROGRESS_MS = 10_000;
const SHRUNK_MAX = 3;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    mutation: { type: 'string', default: 'none' },
    gate: { type: 'boolean', default: false },
  },
});

const toCount = (name: string, value: string): number => {
  const count = Number(value);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new Error(`--${name} takes a whole number from 1 on, not "${value}"`);
};

const runRange = async (workers: Workers, range: SeedRange): Promise<number> => {
  const started = performance.now();
  const toSeconds = (): number => (performance.now() - started) / 1000;
  let shown = 0;
  let printedCount = 0;
  const notify = (tally: Tally): boolean => {
    for (const failure of tally.failures.slice(printedCount)) console.log(toFailureLine(failure));
    printedCount = tally.failures.length;
    if (performance.now() - started > shown + PROGRESS_MS) {
      shown += PROGRESS_MS;
      console.log(toTallyLine(tally, toSeconds()));
    }
    return false;
  };
  const tally = await runSeeds(workers, range, notify);
  const seconds = toSeconds();
  notify(tally);
  for (const failure of tally.failures.slice(0, SHRUNK_MAX)) {
    console.log(`\n${toReport(await shrink(workers, failure, range.mutation))}`);
  }
  console.log(toTallyLine(tally, seconds));
  return tally.failures.length;
};

const runGate = async (workers: Workers): Promise<number> => {
  let missed = 0;
  for (const mutation of MUTATION_NAMES) {
    const result = await catchMutation(workers, mutation, false);
    console.log(toCatchLine(result));
    if (result.caught === 0) missed += 1;
  }
  return missed;
};

const from = toCount('seed', values.seed);
const count = toCount('seeds', values.seeds);
const workers = new Workers();
const failed = values.gate
  ? await runGate(workers)
  : await runRange(workers, { from, count, mutation: values.mutation });
workers.close();
process.exitCode = failed === 0 ? 0 : 1;
