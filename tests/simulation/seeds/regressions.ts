import type { PlanCut } from '../plan.ts';

/** A seed that once found a fault. */
export interface Regression {
  readonly seed: number;
  /** The fault at that time. */
  readonly story: string;
  readonly cut?: PlanCut;
}

/** Seeds that found faults of the program, which also have their own tests, or of its checks. */
export const REGRESSIONS: readonly Regression[] = [
  { seed: 76, story: 'the store stayed closed after the disk had been full' },
  { seed: 26, story: 'a message was accepted into data that was about to be deleted' },
  { seed: 95, story: 'two tabs finished one sign-out, and the signed-in part kept a closed store' },
  { seed: 203, story: 'the data of a signed-out user stayed because of a full disk' },
  {
    seed: 10_819,
    story: 'a page covered its query bounds, which had been pruned meanwhile',
  },
  {
    seed: 10_719,
    story: 'a store opened late for a signed-out user decided whose tokens were used',
  },
  {
    seed: 30_627,
    story: 'a leader that froze before its first attempt sent late, after another leader',
  },
  {
    seed: 2_611_001_835,
    story: 'the first stream of an engine that may lose stored entries that nothing covered',
  },
  {
    seed: 2_611_002_539,
    story:
      'a device that could not read the user log at first never adopted the position where reading began',
  },
  {
    seed: 2_612_005_003,
    story: 'the recount missed an own message published before the first stream',
  },
  {
    seed: 2_612_007_475,
    story: 'the recount missed an own message in a room that nothing covered',
  },
  {
    seed: 2_612_014_925,
    story: 'refusals before and after a sign-in counted as those of one leader',
  },
  {
    seed: 2_612_100_010,
    story: 'a sign-in that another tab had begun ended the session of a user who came back to send',
  },
  {
    seed: 281_002_610,
    story: 'segments were joined over a gap that a full disk had cut in one room',
  },
  {
    seed: 282_009_544,
    story: 'a device that began reading first never published it after another device had',
  },
  {
    seed: 365_216_676,
    story: 'a hidden tab waited minutes before it tried again to open its store',
  },
];
