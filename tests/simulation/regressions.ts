import type { PlanCut } from './plan.ts';

/** A seed that once found a fault. */
export interface Regression {
  readonly seed: number;
  /** What went wrong then. */
  readonly story: string;
  readonly cut?: PlanCut;
}

/** Seeds that found faults of the program; what they found is also a test of its own. */
export const REGRESSIONS: readonly Regression[] = [
  { seed: 76, story: 'the desk stayed closed after the disk had been full' },
];
