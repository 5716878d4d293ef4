import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';

/** Mode of files that hold conversations or keys. */
export const OWNER_ONLY = 0o600;
/** Bits of a mode that let anybody else in. */
export const OTHERS_BITS = 0o077;

export const isOpenToOthers = (path: string): boolean =>
  ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS_BITS) !== 0;

/** Takes a file from others that an earlier version, or a copy, left open; a missing one is none. */
export const closeToOthers = (file: string): void => {
  if (isOpenToOthers(file)) chmodSync(file, OWNER_ONLY);
};

/**
 * Makes an empty file for its owner alone, unless there is one. One that is there is not opened:
 * closing it would end the locks this process holds on it (sqlite.org/howtocorrupt.html, 2.2).
 */
export const createOwnerOnly = (file: string): void => {
  if (!existsSync(file)) closeSync(openSync(file, 'a', OWNER_ONLY));
  closeToOthers(file);
};
