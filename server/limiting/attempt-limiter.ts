import type { Log } from '../kernel/log.ts';
import { type CreateLimiter, type Limiter, type Refused, takeFrom } from './limiters.ts';

/** How an attempt ended; `passed` is not counted, `cleared` also resets earlier failures. */
type Outcome = 'failed' | 'passed' | 'cleared';

export type Admission =
  | { readonly ok: true; readonly settle: (outcome: Outcome) => Promise<void> }
  | Refused;

/** Admits an attempt of a key, or returns when to retry. Rejects if it cannot be counted. */
export type AttemptLimiter = (key: string) => Promise<Admission>;

/** How many attempts may fail, and how long each further one has to wait. */
export interface Pace {
  readonly name: string;
  /** Failures within `windowMs` before there is a delay. */
  readonly free: number;
  readonly windowMs: number;
  /** The first delay; each further failure doubles it, up to `delayMaxMs`. */
  readonly delayMs: number;
  readonly delayMaxMs: number;
}

interface Running {
  /** Admitted here and not settled. */
  open: number;
  /** Increases whenever one settles. */
  settled: number;
  readonly waiting: (() => void)[];
}

interface Counters {
  /** One point per failure, and per attempt whose outcome is open. */
  readonly failures: Limiter;
  /** Closed by every attempt beyond the free ones, for the time that the next one has to wait. */
  readonly gate: Limiter;
}

const toDelaySeconds = ({ free, delayMs, delayMaxMs }: Pace, count: number): number =>
  Math.ceil(Math.min(delayMaxMs, delayMs * 2 ** Math.min(count - free, 30)) / 1000);

type Try = (key: string) => Promise<{ readonly ok: true; readonly isGated: boolean } | Refused>;

/** Counts an attempt as failed before its outcome is known: concurrent attempts gain nothing. */
const createTry =
  (pace: Pace, { failures, gate }: Counters): Try =>
  async (key) => {
    const { consumedPoints: count } = await failures.penalty(key);
    if (count < pace.free) return { ok: true, isGated: false };
    const customDuration = toDelaySeconds(pace, count);
    const passed = await takeFrom(gate, key, { customDuration });
    if (passed.ok) return { ok: true, isGated: true };
    await failures.reward(key);
    return passed;
  };

const createSettle =
  ({ failures, gate }: Counters, log: Log) =>
  async (key: string, isGated: boolean, outcome: Outcome): Promise<void> => {
    if (outcome === 'failed') return;
    try {
      if (outcome === 'passed') await failures.reward(key);
      else await failures.delete(key);
      if (isGated || outcome === 'cleared') await gate.delete(key);
    } catch (error) {
      log.warn({ err: error }, 'the outcome of a sign-in could not be counted');
    }
  };

/** Attempts whose outcome is open on this instance, by key. */
const createRunning = () => {
  const running = new Map<string, Running>();
  const end = (ofKey: Running, key: string, outcome: Outcome): void => {
    ofKey.open -= 1;
    ofKey.settled += 1;
    if (ofKey.open === 0) running.delete(key);
    // A failure admits no other attempt: it was counted at the start.
    if (outcome === 'failed' && ofKey.open > 0) return;
    for (const proceed of ofKey.waiting.splice(0)) proceed();
  };
  return {
    get: (key: string): Running | undefined => running.get(key),
    begin: (key: string): ((outcome: Outcome) => void) => {
      const ofKey = running.get(key) ?? { open: 0, settled: 0, waiting: [] };
      running.set(key, ofKey);
      ofKey.open += 1;
      return (outcome) => end(ofKey, key, outcome);
    },
  };
};

/**
 * Limits failures only, with growing delays. Attempts with an open outcome count as failures.
 * Attempts beyond the limit wait for such an outcome on this instance instead of being refused,
 * so that a burst of correct ones all pass.
 */
export const createAttemptLimiter = (
  pace: Pace,
  create: CreateLimiter,
  log: Log,
): AttemptLimiter => {
  const { name, free: points, windowMs, delayMaxMs } = pace;
  const counters = {
    failures: create({ name: `${name}-failures`, points, windowMs }),
    gate: create({ name: `${name}-gate`, points: 1, windowMs: delayMaxMs }),
  };
  const attempt = createTry(pace, counters);
  const settle = createSettle(counters, log);
  const running = createRunning();
  return async (key) => {
    for (;;) {
      const before = running.get(key);
      const settled = before?.settled;
      const tried = await attempt(key);
      if (tried.ok) {
        const finish = running.begin(key);
        const settleAttempt = async (outcome: Outcome): Promise<void> => {
          await settle(key, tried.isGated, outcome);
          finish(outcome);
        };
        return { ok: true, settle: settleAttempt };
      }
      const ofKey = running.get(key);
      // An attempt that settled meanwhile may admit this one.
      if (before?.settled !== settled) continue;
      if (ofKey === undefined) return tried;
      await new Promise<void>((resolve) => ofKey.waiting.push(resolve));
    }
  };
};
