import type { PlanCut } from '../plan.ts';

/** A seed that once found a fault. */
export interface Regression {
  readonly seed: number;
  /** The fault at that time. */
  readonly story: string;
  readonly cut?: PlanCut;
}

/** Seeds that found faults of the program; each of these faults also has its own test. */
export const REGRESSIONS: readonly Regression[] = [
  { seed: 76, story: 'the desk stayed closed after the disk had been full' },
  { seed: 26, story: 'a message was accepted into data that was about to be deleted' },
  { seed: 95, story: 'two tabs finished one sign-out, and a desk kept a dead store' },
  { seed: 203, story: 'the data of somebody who had left stayed for a full disk' },
  {
    seed: 10_819,
    story: 'a page claimed the places it was asked from, which were forgotten by then',
  },
  {
    seed: 10_719,
    story: 'a store opened late for somebody who was gone decided whose tokens were taken',
  },
  {
    seed: 30_627,
    story: 'a leader that froze before its first try sent it late, after another had sent it',
  },
];
