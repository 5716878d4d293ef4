import { type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { fail, ok, type Result } from '#domain/result.ts';

import type { Accounts } from '../kernel/contracts.ts';
import { createMarkLogStore, type MarkLogStore } from '../realtime/log/mark-log.ts';
import { createLogStore, type LogStore } from '../realtime/log/store.ts';
import { createAccounts } from './accounts.ts';
import { hasDemoData, prepareDemoData } from './demo/seed.ts';
import { type EmbeddedError, toReason } from '../kernel/embedded-error.ts';
import { lockFolder } from '../kernel/folder-lock.ts';
import { migrate, readSchemaVersion } from './migrate.ts';
import { createOwnerOnly, restrictToOwner } from '../kernel/owner-only.ts';
import { createStaffData, type EmbeddedStaffData } from './staff-data.ts';

/** Everything in the embedded mode, on one SQLite file. */
export interface Embedded {
  readonly accounts: Accounts;
  readonly staffData: EmbeddedStaffData;
  readonly store: LogStore;
  readonly marks: MarkLogStore;
  /** Used for the server's small tables in the same file (see schema.ts). */
  readonly sql: DatabaseSync;
  /** Throws once the file was deleted or replaced: written data would be lost. */
  readonly mustBeInPlace: () => void;
  /** It contains the demo accounts and conversations, from this start or an earlier one. */
  readonly hasDemo: boolean;
  /** Writes pending data and releases the data folder. */
  readonly close: () => void;
}

export const DATABASE_FILE = 'desk.sqlite';
/** Suffixes of SQLite's additional files. */
export const SQLITE_FILE_SUFFIXES = ['-wal', '-shm'];

/** Bytes of the database in a data folder, with its write-ahead log. */
export const measureDatabase = (dataDir: string): number =>
  [DATABASE_FILE, `${DATABASE_FILE}-wal`]
    .map((name) => statSync(join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);

/** Another program, such as a backup, may hold a lock for a moment: a start waits this long. */
const BUSY_START_MS = 5000;
/** Each write of a running server waits this long and blocks everything else meanwhile. */
const BUSY_RUNNING_MS = 20;

/**
 * FULL syncs the write-ahead log at every commit: acknowledged data survives a power cut. The
 * log file is truncated after checkpoints, so that a burst does not occupy space permanently.
 */
const PRAGMAS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA trusted_schema = OFF;
  PRAGMA journal_size_limit = 16777216;
`;

type Seeding = boolean | 'when-new';

/** Schema and demo data in one transaction: a start that fails midway changes nothing. */
const prepareTables = async (
  sql: DatabaseSync,
  seedDemo: Seeding,
): Promise<Result<void, EmbeddedError>> => {
  const isNew = readSchemaVersion(sql) === 0;
  const seed = seedDemo === true || (seedDemo === 'when-new' && isNew);
  const fillIn = seed ? await prepareDemoData() : undefined;
  sql.exec('BEGIN IMMEDIATE');
  const migrated = migrate(sql);
  if (!migrated.ok) return migrated;
  // A read-only file accepts the transaction and refuses only its first write, even an empty one.
  sql.exec('DELETE FROM log WHERE false');
  fillIn?.(sql);
  sql.exec('COMMIT');
  return ok(undefined);
};

/** SQLite gives its additional files the mode of the database itself. */
const openOwnerOnly = (file: string): DatabaseSync => {
  createOwnerOnly(file);
  for (const suffix of SQLITE_FILE_SUFFIXES) restrictToOwner(file + suffix);
  return new DatabaseSync(file, { timeout: BUSY_START_MS });
};

const findIdentity = (path: string): Pick<Stats, 'dev' | 'ino'> | undefined =>
  statSync(path, { throwIfNoEntry: false });

/**
 * Throws once the file or its write-ahead log was deleted or replaced under the running server.
 * SQLite would continue to write to the old file, which disappears with the process.
 */
const watchFile = (file: string): (() => void) => {
  const opened = [file, `${file}-wal`].map((path) => ({ path, first: findIdentity(path) }));
  return () => {
    for (const { path, first } of opened) {
      const present = findIdentity(path);
      if (present?.dev === first?.dev && present?.ino === first?.ino) continue;
      throw new Error(`${path} was deleted or replaced: nothing is stored until a restart`);
    }
  };
};

const openFile = async (
  file: string,
  seedDemo: Seeding,
  release: () => void,
): Promise<Result<Embedded, EmbeddedError>> => {
  const sql = openOwnerOnly(file);
  const closeFile = (): void => {
    sql.close();
    release();
  };
  try {
    sql.exec(PRAGMAS);
    const tables = await prepareTables(sql, seedDemo);
    if (!tables.ok) {
      closeFile();
      return tables;
    }
    const accounts = await createAccounts(sql);
    sql.exec(`PRAGMA busy_timeout = ${BUSY_RUNNING_MS}`);
    const mustBeInPlace = watchFile(file);
    const store = createLogStore(sql, Date.now, mustBeInPlace);
    const marks = createMarkLogStore(
      sql,
      { now: Date.now, findHead: () => store.head() },
      mustBeInPlace,
    );
    const close = (): void => {
      store.close();
      marks.close();
      closeFile();
    };
    const staffData = createStaffData(sql);
    return ok({
      accounts,
      staffData,
      store,
      marks,
      sql,
      mustBeInPlace,
      hasDemo: hasDemoData(sql),
      close,
    });
  } catch (thrown) {
    closeFile();
    throw thrown;
  }
};

/**
 * Opens the embedded data in a folder, creating it if missing, and locks the folder until
 * `close`. `seedDemo` adds the demo data whenever there is no data (true), or only in a new
 * folder. Existing data is never changed by it.
 */
export const openEmbedded = async (
  dataDir: string,
  { seedDemo }: { readonly seedDemo: Seeding },
): Promise<Result<Embedded, EmbeddedError>> => {
  const lock = lockFolder(dataDir);
  if (!lock.ok) return lock;
  try {
    return await openFile(join(dataDir, DATABASE_FILE), seedDemo, () => lock.value.release());
  } catch (thrown) {
    lock.value.release();
    const message = `The data in ${dataDir} cannot be used: ${toReason(thrown)}.`;
    return fail({ kind: 'unusable', message });
  }
};
