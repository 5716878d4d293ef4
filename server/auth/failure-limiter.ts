import type { Allowance, Refused } from '../rate-limiter.ts';
import { createRecentMap } from '../recent-map.ts';

/** How an attempt ended; `passed` counts for nothing, `cleared` also forgives what was before. */
export type Outcome = 'failed' | 'passed' | 'cleared';

export type Admission = { readonly ok: true; settle(outcome: Outcome): void } | Refused;

/** Admits an attempt of a key, unless the key has failed too often. */
export type FailureLimiter = (key: string) => Promise<Admission>;

interface Tally {
  failures: number;
  endsAt: number;
  inFlight: number;
  readonly waiting: (() => void)[];
}

/**
 * Limits failures alone. Attempts whose outcome is open count as if they would fail: the
 * ones that this holds back wait for an outcome instead of being refused. So a burst of
 * wrong guesses gets no further than one by one, and a burst of right ones all pass.
 */
export const createFailureLimiter = (
  { limit, windowMs, keysMax }: Allowance,
  now: () => number,
): FailureLimiter => {
  const tallies = createRecentMap<Tally>(keysMax);
  const create = (): Tally => ({ failures: 0, endsAt: 0, inFlight: 0, waiting: [] });
  const forgetOld = (tally: Tally): void => {
    if (tally.endsAt <= now()) tally.failures = 0;
  };
  const settle = (tally: Tally, outcome: Outcome): void => {
    tally.inFlight -= 1;
    if (outcome === 'cleared') tally.failures = 0;
    if (outcome === 'failed') {
      if (tally.failures === 0) tally.endsAt = now() + windowMs;
      tally.failures += 1;
    }
    for (const proceed of tally.waiting.splice(0)) proceed();
  };
  return async (key) => {
    const tally = tallies.get(key, create);
    forgetOld(tally);
    while (tally.failures < limit && tally.failures + tally.inFlight >= limit) {
      await new Promise<void>((resolve) => tally.waiting.push(resolve));
      forgetOld(tally);
    }
    if (tally.failures >= limit) return { ok: false, retryAfterMs: tally.endsAt - now() };
    tally.inFlight += 1;
    return { ok: true, settle: (outcome) => settle(tally, outcome) };
  };
};
