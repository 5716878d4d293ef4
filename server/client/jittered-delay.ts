import { SEND_RETRY_MAX_MS, SEND_RETRY_MIN_MS } from '#domain/limits.ts';

/** Delay after a number of consecutive failures, ms: doubling, capped, half of it random. */
export const toJitteredDelay = (failures: number): number => {
  const full = Math.min(SEND_RETRY_MAX_MS, SEND_RETRY_MIN_MS * 2 ** (failures - 1));
  return full / 2 + (Math.random() * full) / 2;
};
