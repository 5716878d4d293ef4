import type { Disk } from '#domain/ports/device.ts';

import { DISK, findGuard, GUARD, isFlagged } from './disk-guard.ts';
import { localFlags } from './local-flags.ts';

/**
 * A cache that does not answer within this time counts as one without the guard, ms. Just after the
 * start of a browser on a busy device, an answer takes seconds. The check that follows has the rest
 * of `SESSION_STORAGE_LIMIT_MS`.
 */
const ANSWER_MS_MAX = 4000;

const placeGuard = async (): Promise<void> => (await caches.open(DISK)).put(GUARD, new Response());

const removeGuard = async (): Promise<boolean> => (await caches.open(DISK)).delete(GUARD);

const denied = (): false => false;

/** The cache remains without its guard. The first start places both. */
const isGuardGone = async (): Promise<boolean> => {
  if (await caches.has(DISK)) return !(await findGuard().catch(denied));
  await placeGuard();
  return false;
};

const afterLimit = (): Promise<true> =>
  new Promise((resolve) => {
    setTimeout(resolve, ANSWER_MS_MAX, true);
  });

/**
 * Flags a full disk in two ways. localStorage is written late, and on a full disk not at all or
 * emptied. So a cache holds a guard, and deleting its file needs no space: if the guard is gone,
 * the last page left a full disk behind, even if the browser was killed. A browser that does not
 * answer may be on a full disk: opening a database there would lose it, and checking the disk costs
 * little. If a browser denies both, a restart on a full disk goes unnoticed.
 */
export const createDisk = (): Disk => ({
  wasFull: async () => isFlagged() || Promise.race([isGuardGone().catch(denied), afterLimit()]),
  flag: () => {
    localFlags.set(DISK, 'full');
    removeGuard().catch(denied);
  },
  unflag: () => {
    localFlags.remove(DISK);
    placeGuard().catch(denied);
  },
  hasSpace: async () => (await import('./disk-space.ts')).hasSpace(),
});
