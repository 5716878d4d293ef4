import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { findMutation } from '../gate/mutations.ts';
import { type PlanCut, toPlan, UNCUT } from '../plan.ts';
import { type Outcome, runPlan } from '../run-plan.ts';

/** One seed to run in a separate process. */
export interface Job {
  readonly seed: number;
  /** A broken variant, `none` for the unchanged program. */
  readonly mutation: string;
  readonly cut?: PlanCut;
}

const run = async ({ seed, mutation, cut = UNCUT }: Job): Promise<Outcome> => {
  const variant = findMutation(mutation);
  if (variant === undefined) throw new Error(`There is no variant called "${mutation}"`);
  return runPlan(toPlan(seed, cut), variant);
};

/** A check that throws is a failure of its seed, not the end of the process. */
const runSafely = async (job: Job): Promise<Outcome> => {
  try {
    return await run(job);
  } catch (error) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const violation = { invariant: 'no check throws', detail, at: 0 };
    const nothing = { steps: 0, ms: 0, messages: 0, duplicates: 0 };
    return { seed: job.seed, violation, lines: [], ...nothing };
  }
};

/**
 * The late parts of the program take longer the first time: a seed would depend on earlier seeds.
 */
const loadAll = async (): Promise<void> => {
  for (const file of globSync(['db/*/*.ts', 'machines/*/*.ts'])) {
    await import(pathToFileURL(resolve(file)).href);
  }
};
const loaded = loadAll();

process.on('message', (job: Job) => {
  const answer = async (): Promise<void> => {
    await loaded;
    process.send?.(await runSafely(job));
  };
  void answer();
});
