import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { fail, ok, type Result } from '#domain/result.ts';

import { type EmbeddedError, toReason } from './embedded-error.ts';
import { createOwnerOnly } from './owner-only.ts';
import { findSqliteCode, SQLITE } from './sqlite-code.ts';

/** Held by the one process that may write a data folder. */
export interface FolderLock {
  /** Harmless when called twice. */
  release(): void;
}

/** Beside the data, so that backups and the terminal client can still read the data itself. */
export const LOCK_FILE = 'desk.lock';

/**
 * Takes the data folder for this process, creating it when missing. The lock is the
 * operating system's own on an open SQLite file: it ends with the process however that
 * dies, so nothing is left behind that could block the next start.
 */
export const lockFolder = (dataDir: string): Result<FolderLock, EmbeddedError> => {
  let file: DatabaseSync | undefined;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    createOwnerOnly(join(dataDir, LOCK_FILE));
    file = new DatabaseSync(join(dataDir, LOCK_FILE), { timeout: 0 });
    file.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (thrown) {
    file?.close();
    if (findSqliteCode(thrown) === SQLITE.busy) {
      const message = `The data folder ${dataDir} is in use by another Replay Desk process. Stop that one first, or set DATA_DIR to another folder.`;
      return fail({ kind: 'in-use', message });
    }
    const message = `The data folder ${dataDir} cannot be used: ${toReason(thrown)}.`;
    return fail({ kind: 'unusable', message });
  }
  const held = file;
  return ok({
    release: () => {
      if (held.isOpen) held.close();
    },
  });
};
