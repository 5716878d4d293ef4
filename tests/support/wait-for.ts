import { setTimeout as pause } from 'node:timers/promises';

/**
 * Upper limit of a single wait, ms: a busy machine makes tests slow, not red, so only a hang
 * reaches it. Well over five times the slowest wait on a quiet machine.
 */
export const WAIT_MS_MAX = 180_000;
/** Upper limit of a test or hook, ms; several waits of one test may each be slow. */
export const TEST_MS_MAX = 600_000;

const POLL_INTERVAL_MS = 25;

/** Checks repeatedly until `check` is true; fails with its name if it never is. */
export const waitFor = async (
  what: string,
  check: () => boolean | Promise<boolean>,
): Promise<void> => {
  const until = performance.now() + WAIT_MS_MAX;
  while (!(await check())) {
    if (performance.now() > until) throw new Error(`waited ${WAIT_MS_MAX} ms in vain for ${what}`);
    await pause(POLL_INTERVAL_MS);
  }
};

/** Calls `check` repeatedly until it does not throw; fails with its last error. */
export const untilPasses = async (check: () => unknown): Promise<void> => {
  const until = performance.now() + WAIT_MS_MAX;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (performance.now() > until) throw error;
    }
    await pause(POLL_INTERVAL_MS);
  }
};
