import { localFlags } from './local-flags.ts';

/** A cache, and a flag in localStorage, which is set while the disk is full. */
export const DISK = 'replay-desk-disk';
/** An entry of that cache only. */
export const GUARD = '/disk-guard';

/** Whether a page flagged a full disk in localStorage. */
export const isFlagged = (): boolean => localFlags.find(DISK) !== null;

/** Undefined if the last page left a full disk behind. Rejects if the browser denies caches. */
export const findGuard = async (): Promise<Response | undefined> => caches.match(GUARD);
