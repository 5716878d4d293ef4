import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { fail, ok, type Result } from '#domain/result.ts';

import { type EmbeddedError, toReason } from './embedded-error.ts';
import { createOwnerOnly, createOwnerOnlyFolder } from './owner-only.ts';
import { findSqliteCode, SQLITE } from './sqlite-code.ts';

/** The lock of the only process that may write to a data folder. */
export interface FolderLock {
  /** Safe to call twice. */
  release(): void;
}

/** Separate from the data, so that backups and the terminal client can still read the data. */
export const LOCK_FILE = 'desk.lock';

/**
 * Locks the data folder for this process and creates it if missing. The operating system holds
 * the lock on an open SQLite file and releases it however the process ends, so a leftover lock
 * cannot block the next start.
 */
export const lockFolder = (dataDir: string): Result<FolderLock, EmbeddedError> => {
  let file: DatabaseSync | undefined;
  try {
    createOwnerOnlyFolder(dataDir);
    createOwnerOnly(join(dataDir, LOCK_FILE));
    file = new DatabaseSync(join(dataDir, LOCK_FILE), { timeout: 0 });
    // The lock of a read-only file excludes no one: this write fails there. It is never committed.
    file.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE; PRAGMA user_version = 1');
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
