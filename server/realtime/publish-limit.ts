import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

import { fail, ok, type Result } from '#domain/result.ts';

import type { Refusal } from './access.ts';
import { PUBLISH_BURST, PUBLISH_BURST_SECONDS, PUBLISHES_PER_SECOND } from './limits.ts';

/** Counts one publish of a publisher, unless it has to wait. */
export type TakePublish = (publisher: string) => Promise<Result<void, Refusal>>;

/** A steady rate, and beside it what an outbox that was offline sends at once. */
export const createPublishLimit = (): TakePublish => {
  const limiter = new BurstyRateLimiter(
    new RateLimiterMemory({ points: PUBLISHES_PER_SECOND, duration: 1 }),
    new RateLimiterMemory({
      keyPrefix: 'burst',
      points: PUBLISH_BURST,
      duration: PUBLISH_BURST_SECONDS,
    }),
  );
  return async (publisher) => {
    try {
      await limiter.consume(publisher);
      return ok(undefined);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      const { msBeforeNext: retryAfterMs } = refused;
      return fail({ status: 429, text: 'Too many messages at once.', retryAfterMs });
    }
  };
};
