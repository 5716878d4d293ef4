import type { Disk } from '#domain/ports/device.ts';

import { localFlags } from './local-flags.ts';

const NAME = 'replay-desk-disk';
const FULL = 'full';
const GUARDED = 'guarded';
/** The guard, an entry of the cache `NAME`. */
const GUARD = '/disk-guard';

/**
 * After this time a browser that does not answer counts as one without a guard, ms. A busy device
 * takes seconds just after the browser's start, and a database opened too early on a full disk is
 * deleted by Chromium.
 */
const ANSWER_MS_MAX = 30_000;

const placeGuard = async (): Promise<void> => {
  await (await caches.open(NAME)).put(GUARD, new Response());
  localFlags.set(NAME, GUARDED);
};

const removeGuard = async (): Promise<boolean> => (await caches.open(NAME)).delete(GUARD);

const isGuardGone = async (): Promise<boolean> =>
  (await caches.match(GUARD, { cacheName: NAME })) === undefined;

const denied = (): false => false;
const afterLimit = (): Promise<boolean> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(false), ANSWER_MS_MAX);
  });

/**
 * Flags a full disk in two ways. localStorage is written late, and not at all while the disk is
 * full. So a cache holds a guard, and deleting its file needs no space: if the guard is gone, the
 * last page left a full disk behind, even if the browser was killed. If a browser denies both, a
 * restart on a full disk goes unnoticed.
 */
export const createDisk = (): Disk => ({
  wasFull: async () => {
    const flag = localFlags.find(NAME);
    if (flag === GUARDED) return Promise.race([isGuardGone().catch(denied), afterLimit()]);
    if (flag === null) placeGuard().catch(denied);
    return flag === FULL;
  },
  flag: () => {
    localFlags.set(NAME, FULL);
    removeGuard().catch(denied);
  },
  unflag: () => {
    localFlags.remove(NAME);
    placeGuard().catch(denied);
  },
  hasSpace: async () => (await import('./disk-space.ts')).hasSpace(),
});
