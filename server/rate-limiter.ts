/** Counts events per key in fixed windows and forgets the longest unused keys. */
export interface RateLimiter {
  /** Counts one event, unless the key is at its limit: then ms until it may try again. */
  take(key: string): { readonly ok: true } | { readonly ok: false; readonly retryAfterMs: number };
  /** Takes one event back. */
  giveBack(key: string): void;
  forget(key: string): void;
}

interface Window {
  count: number;
  readonly endsAt: number;
}

/**
 * At most `limit` events per `windowMs` and key; at most `keysMax` keys are remembered.
 * `now` is ms since the epoch.
 */
export const createRateLimiter = (
  options: { readonly limit: number; readonly windowMs: number; readonly keysMax: number },
  now: () => number,
): RateLimiter => {
  // Insertion order is order of use: each use moves its key to the end.
  const windows = new Map<string, Window>();
  const touch = (key: string): Window => {
    const at = now();
    const found = windows.get(key);
    const isOpen = found !== undefined && found.endsAt > at;
    const window = isOpen ? found : { count: 0, endsAt: at + options.windowMs };
    windows.delete(key);
    windows.set(key, window);
    const oldest = windows.size > options.keysMax ? windows.keys().next().value : undefined;
    if (oldest !== undefined) windows.delete(oldest);
    return window;
  };
  return {
    take: (key) => {
      const window = touch(key);
      if (window.count >= options.limit) {
        return { ok: false, retryAfterMs: window.endsAt - now() };
      }
      window.count += 1;
      return { ok: true };
    },
    giveBack: (key) => {
      const window = windows.get(key);
      if (window !== undefined) window.count = Math.max(0, window.count - 1);
    },
    forget: (key) => {
      windows.delete(key);
    },
  };
};
