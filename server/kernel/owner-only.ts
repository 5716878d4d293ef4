import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Mode of files that contain conversations or keys. */
export const OWNER_ONLY = 0o600;
const OWNER_ONLY_FOLDER = 0o700;
/** Bits of a mode that grant access to others. */
export const OTHERS_BITS = 0o077;

export const isOpenToOthers = (path: string): boolean =>
  ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS_BITS) !== 0;

/** Restricts a file that an earlier version or a copy left readable; ignores a missing one. */
export const restrictToOwner = (file: string): void => {
  if (isOpenToOthers(file)) chmodSync(file, OWNER_ONLY);
};

/**
 * Creates an empty file for its owner only, unless it exists. An existing file is not opened:
 * closing it would end the locks this process holds on it (sqlite.org/howtocorrupt.html, 2.2).
 */
export const createOwnerOnly = (file: string): void => {
  if (!existsSync(file)) closeSync(openSync(file, 'a', OWNER_ONLY));
  restrictToOwner(file);
};

/**
 * Creates a folder for its owner only, with the folders above it, unless it exists. Throws if that
 * is impossible: Node's own recursive `mkdirSync` never returns in folders such as `/proc`, whose
 * system reports a missing folder instead of a refusal.
 */
export const createOwnerOnlyFolder = (folder: string): void => {
  const isThere = (): boolean =>
    statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isThere()) return;
  if (!existsSync(dirname(folder))) createOwnerOnlyFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: OWNER_ONLY_FOLDER });
  } catch (thrown) {
    // Another process may have created it meanwhile.
    if (!isThere()) throw thrown;
  }
};
