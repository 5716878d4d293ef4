import type { Ports } from '#domain/ports/ports.ts';
import { toRetryDelay } from '#domain/rules/retry-delay.ts';

import { REFETCH_HIDDEN_FACTOR, REFETCH_RETRY_MAX_MS, REFETCH_RETRY_MIN_MS } from './limits.ts';

const RETRY = { minMs: REFETCH_RETRY_MIN_MS, maxMs: REFETCH_RETRY_MAX_MS };

/**
 * Delay after the `failures`-th consecutive failure, ms. Every tab requests for itself: hidden
 * tabs wait longer, so that many tabs do not flood a server after an outage. `factor` 1 is for
 * failures of this device's storage.
 */
export const toRefetchDelay = (
  { random, environment }: Pick<Ports, 'random' | 'environment'>,
  failures: number,
  factor: number = environment.isVisible() ? 1 : REFETCH_HIDDEN_FACTOR,
): number => toRetryDelay(failures - 1, RETRY, random) * factor;
