/**
 * True while something fetched is younger than `ttlMs`. A fetch in the future means that the
 * clock was set back, and counts as stale. Times are ms since the epoch.
 */
export const isFresh = (fetchedAt: number | undefined, nowMs: number, ttlMs: number): boolean =>
  fetchedAt !== undefined && nowMs >= fetchedAt && nowMs - fetchedAt < ttlMs;
