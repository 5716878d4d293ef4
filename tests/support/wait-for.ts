import { setTimeout as pause } from 'node:timers/promises';

const LOOK_EVERY_MS = 25;

/** Looks again and again until `check` is true; fails by name when it never is. */
export const waitFor = async (
  what: string,
  limitMs: number,
  check: () => boolean | Promise<boolean>,
): Promise<void> => {
  const until = performance.now() + limitMs;
  while (!(await check())) {
    if (performance.now() > until) throw new Error(`waited ${limitMs} ms in vain for ${what}`);
    await pause(LOOK_EVERY_MS);
  }
};
