import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { fail, ok, type Result } from '#domain/result.ts';

import { DAMAGED_PREFIX, SECRET_FILE } from '../kernel/secret.ts';
import { PREVIOUS_ASSETS_FOLDER } from '../static/previous-assets.ts';
import { type EmbeddedError, toReason } from '../kernel/embedded-error.ts';
import { LOCK_FILE, lockFolder } from '../kernel/folder-lock.ts';
import { SQLITE_FILE_SUFFIXES, DATABASE_FILE } from './open.ts';

/** True if the folder contains data of this program. */
export const isDataFolder = (dataDir: string): boolean => existsSync(join(dataDir, DATABASE_FILE));

/** The lock is deleted last: no server can create new data before the old data is gone. */
const OURS = [
  ...['', ...SQLITE_FILE_SUFFIXES].map((suffix) => DATABASE_FILE + suffix),
  SECRET_FILE,
  PREVIOUS_ASSETS_FOLDER,
  LOCK_FILE,
];

/**
 * Deletes only the files of this program from a data folder, so that a wrong DATA_DIR deletes no
 * other files, and returns the names of the others. Refused while a server uses the folder.
 */
export const emptyDataFolder = (dataDir: string): Result<readonly string[], EmbeddedError> => {
  if (!isDataFolder(dataDir)) {
    return fail({ kind: 'unusable', message: `${dataDir} is not a data folder of Replay Desk.` });
  }
  const lock = lockFolder(dataDir);
  if (!lock.ok) return lock;
  try {
    const damaged = readdirSync(dataDir).filter((name) => name.startsWith(DAMAGED_PREFIX));
    for (const name of [...damaged, ...OURS]) {
      rmSync(join(dataDir, name), { force: true, recursive: true });
    }
    return ok(readdirSync(dataDir).toSorted());
  } catch (thrown) {
    const message = `${dataDir} could not be emptied: ${toReason(thrown)}.`;
    return fail({ kind: 'unusable', message });
  } finally {
    lock.value.release();
  }
};
