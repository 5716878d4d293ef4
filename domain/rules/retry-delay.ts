import type { Random } from '../ports/kit.ts';

/** Shortest and longest delay, ms. */
export interface RetryLimits {
  readonly minMs: number;
  readonly maxMs: number;
}

/** After this many doublings every limit is reached; keeps the power finite. */
const DOUBLINGS_MAX = 30;

/**
 * Delay before retry number `attempt` + 1 (0 after the first failure), ms: a random time
 * between the minimum and a ceiling that doubles with every failure, so that many browsers do
 * not return at once.
 */
export const toRetryDelay = (attempt: number, limits: RetryLimits, random: Random): number => {
  const doublings = Math.min(Math.max(0, attempt) + 1, DOUBLINGS_MAX);
  const ceiling = Math.min(limits.maxMs, limits.minMs * 2 ** doublings);
  return limits.minMs + random.next() * (ceiling - limits.minMs);
};
