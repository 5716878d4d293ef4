import { createRecentMap } from './recent-map.ts';

/** How much is allowed: `limit` events per `windowMs` and key, for at most `keysMax` keys. */
export interface Allowance {
  readonly limit: number;
  readonly windowMs: number;
  readonly keysMax: number;
}

export interface Refused {
  readonly ok: false;
  readonly retryAfterMs: number;
}

/** Counts one event of a key, unless the key is at its limit. */
export type RateLimiter = (key: string) => { readonly ok: true } | Refused;

/** Fixed windows that begin with a key's first event; `now` is ms since the epoch. */
export const createRateLimiter = (
  { limit, windowMs, keysMax }: Allowance,
  now: () => number,
): RateLimiter => {
  const windows = createRecentMap<{ count: number; endsAt: number }>(keysMax);
  return (key) => {
    const at = now();
    const window = windows.get(key, () => ({ count: 0, endsAt: at + windowMs }));
    if (window.endsAt <= at) Object.assign(window, { count: 0, endsAt: at + windowMs });
    if (window.count >= limit) return { ok: false, retryAfterMs: window.endsAt - at };
    window.count += 1;
    return { ok: true };
  };
};
