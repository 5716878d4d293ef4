import { setTimeout as pause } from 'node:timers/promises';

/**
 * The longest wait for one thing, ms: a busy machine makes tests slow, not red, so only a hang
 * gets this far. Well over five times what a quiet machine needs for the slowest.
 */
export const WAIT_MS_MAX = 180_000;
/** The longest one test or hook takes, ms; several waits of one test may each be slow. */
export const TEST_MS_MAX = 600_000;

const LOOK_EVERY_MS = 25;

/** Looks again and again until `check` is true; fails by name when it never is. */
export const waitFor = async (
  what: string,
  check: () => boolean | Promise<boolean>,
): Promise<void> => {
  const until = performance.now() + WAIT_MS_MAX;
  while (!(await check())) {
    if (performance.now() > until) throw new Error(`waited ${WAIT_MS_MAX} ms in vain for ${what}`);
    await pause(LOOK_EVERY_MS);
  }
};

/** Calls `check` again and again until it does not throw; in the end fails with its last error. */
export const untilPasses = async (check: () => unknown): Promise<void> => {
  const until = performance.now() + WAIT_MS_MAX;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (performance.now() > until) throw error;
    }
    await pause(LOOK_EVERY_MS);
  }
};
