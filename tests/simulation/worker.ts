import { findMutation } from './mutations.ts';
import { type PlanCut, toPlan, UNCUT } from './plan.ts';
import { type Outcome, runPlan } from './run-plan.ts';

/** One seed to run in a process of its own. */
export interface Job {
  readonly seed: number;
  /** A broken variant, `none` for the program as it is. */
  readonly mutation: string;
  readonly cut?: PlanCut;
}

const run = async ({ seed, mutation, cut = UNCUT }: Job): Promise<Outcome> => {
  const variant = findMutation(mutation);
  if (variant === undefined) throw new Error(`There is no variant called "${mutation}"`);
  return runPlan(toPlan(seed, cut), variant);
};

process.on('message', (job: Job) => {
  const answer = async (): Promise<void> => {
    process.send?.(await run(job));
  };
  void answer();
});
