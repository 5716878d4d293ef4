import type { Outcome } from '../run-plan.ts';
import type { Workers } from './workers.ts';

/** The result of many seeds. */
export interface Tally {
  seeds: number;
  steps: number;
  /** Virtual time passed, ms. */
  ms: number;
  messages: number;
  duplicates: number;
  readonly failures: Outcome[];
}

export interface SeedRange {
  readonly from: number;
  readonly count: number;
  readonly mutation: string;
  /** Seeds to run before the range. */
  readonly first?: readonly number[];
}

const add = (tally: Tally, outcome: Outcome): void => {
  tally.seeds += 1;
  tally.steps += outcome.steps;
  tally.ms += outcome.ms;
  tally.messages += outcome.messages;
  tally.duplicates += outcome.duplicates;
  if (outcome.violation) tally.failures.push(outcome);
};

/** Runs seeds on all workers until none are left or `isEnough`. */
export const runSeeds = async (
  workers: Workers,
  { from, count, mutation, first = [] }: SeedRange,
  isEnough: (tally: Tally) => boolean = () => false,
): Promise<Tally> => {
  const tally: Tally = { seeds: 0, steps: 0, ms: 0, messages: 0, duplicates: 0, failures: [] };
  const range = Array.from({ length: count }, (_, index) => from + index);
  // All workers take from one iterator.
  const seeds = [...first, ...range].values();
  const work = async (): Promise<void> => {
    for (const seed of seeds) {
      if (isEnough(tally)) return;
      add(tally, await workers.run({ seed, mutation }));
    }
  };
  await Promise.all(Array.from({ length: workers.size }, work));
  tally.failures.sort((a, b) => a.seed - b.seed);
  return tally;
};
