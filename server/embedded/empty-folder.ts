import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { fail, ok, type Result } from '#domain/result.ts';

import { type EmbeddedError, toReason } from './embedded-error.ts';
import { LOCK_FILE, lockFolder } from './folder-lock.ts';
import { DATABASE_FILE } from './open.ts';

/** True when the folder holds our data; anything else in a folder is not ours to delete. */
export const isDataFolder = (dataDir: string): boolean => existsSync(join(dataDir, DATABASE_FILE));

/**
 * Deletes everything in a data folder; the folder itself stays. Refused while a server
 * uses it, and for folders that hold no data of ours.
 */
export const emptyDataFolder = (dataDir: string): Result<void, EmbeddedError> => {
  if (!isDataFolder(dataDir)) {
    return fail({ kind: 'unusable', message: `${dataDir} is no data folder of Replay Desk.` });
  }
  const lock = lockFolder(dataDir);
  if (!lock.ok) return lock;
  try {
    // The lock goes last: nobody can lay new data before the old is gone.
    const names = readdirSync(dataDir).filter((name) => name !== LOCK_FILE);
    for (const name of [...names, LOCK_FILE]) {
      rmSync(join(dataDir, name), { recursive: true, force: true });
    }
    return ok(undefined);
  } catch (thrown) {
    const message = `${dataDir} could not be emptied: ${toReason(thrown)}.`;
    return fail({ kind: 'unusable', message });
  } finally {
    lock.value.release();
  }
};
