import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

import { LIMITER_KEYS_MAX } from '../kernel/limits.ts';

/** The plan of one limiter: `points` per key within `windowMs`, under its own name. */
export interface LimiterPlan {
  readonly name: string;
  readonly points: number;
  readonly windowMs: number;
}

/** The part of the library's limiters that is used. */
export type Limiter = Pick<RateLimiterAbstract, 'consume' | 'penalty' | 'reward' | 'delete'>;

/** Creates limiters that count in the same store. Their calls reject while it is down. */
export type CreateLimiter = (plan: LimiterPlan) => Limiter;

/** An event over its limit, with the time to retry. */
export interface Refused {
  readonly ok: false;
  readonly retryAfterMs: number;
}

export const toLimiterOptions = ({ name, points, windowMs }: LimiterPlan) => ({
  keyPrefix: name,
  points,
  duration: Math.ceil(windowMs / 1000),
});

/** A key with at most this share of its points counts as one with few. */
const FEW_SHARE = 1 / 3;

/**
 * Drops the least recently used keys: the library itself keeps every key for its window. Keys with
 * few points have their own space: new ones cannot displace a key that is near its limit, and keys
 * that fill the other space cannot keep new ones from being counted.
 */
class BoundedMemoryLimiter extends RateLimiterMemory {
  /** Insertion order is order of use: each use moves its key to the end. */
  readonly #few = new Set<string | number>();
  readonly #more = new Set<string | number>();
  readonly #keysMax: number;

  constructor(plan: LimiterPlan, keysMax: number) {
    super(toLimiterOptions(plan));
    this.#keysMax = keysMax;
  }

  override consume(...args: Parameters<RateLimiterMemory['consume']>): Promise<RateLimiterRes> {
    return this.#remember(args[0], super.consume(...args));
  }

  override penalty(...args: Parameters<RateLimiterMemory['penalty']>): Promise<RateLimiterRes> {
    return this.#remember(args[0], super.penalty(...args));
  }

  async #remember(
    key: string | number,
    counting: Promise<RateLimiterRes>,
  ): Promise<RateLimiterRes> {
    // Beyond the limit the library rejects with the count.
    const { consumedPoints } = await counting.catch((refused: RateLimiterRes) => refused);
    this.#few.delete(key);
    this.#more.delete(key);
    const keys = consumedPoints > this.points * FEW_SHARE ? this.#more : this.#few;
    keys.add(key);
    const oldest = keys.size > this.#keysMax ? keys.values().next().value : undefined;
    if (oldest !== undefined) {
      keys.delete(oldest);
      void this.delete(oldest);
    }
    return counting;
  }
}

/** Counts in this process, for up to `keysMax` keys with few points and as many with more. */
export const createMemoryLimiter = (plan: LimiterPlan, keysMax = LIMITER_KEYS_MAX): Limiter =>
  new BoundedMemoryLimiter(plan, keysMax);

/** Counts one event of a key, unless the key is at its limit; rejects if it cannot be counted. */
export const takeFrom = async (
  limiter: Pick<Limiter, 'consume'>,
  key: string,
  options: { readonly customDuration?: number } = {},
): Promise<{ readonly ok: true } | Refused> => {
  try {
    await limiter.consume(key, 1, options);
    return { ok: true };
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    return { ok: false, retryAfterMs: refused.msBeforeNext };
  }
};

/** `Retry-After` in whole seconds. */
export const toRetryAfter = ({ retryAfterMs }: Pick<Refused, 'retryAfterMs'>): string =>
  String(Math.max(1, Math.ceil(retryAfterMs / 1000)));
