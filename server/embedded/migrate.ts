import type { DatabaseSync } from 'node:sqlite';

import { fail, ok, type Result } from '#domain/result.ts';

import type { EmbeddedError } from '../kernel/embedded-error.ts';
import { MIGRATIONS } from './schema.ts';

/** The schema version of a database; 0 = it is empty. */
export const readSchemaVersion = (sql: DatabaseSync): number =>
  Number(sql.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);

/**
 * Migrates a database to the newest version, inside the caller's transaction. A database of a
 * newer program is not changed.
 */
export const migrate = (sql: DatabaseSync): Result<void, EmbeddedError> => {
  const before = readSchemaVersion(sql);
  if (before > MIGRATIONS.length) {
    const versions = `data version ${before}, this program supports ${MIGRATIONS.length}`;
    const message = `The data was written by a newer Replay Desk (${versions}). Start the newer program, or set DATA_DIR to another folder.`;
    return fail({ kind: 'newer-schema', message });
  }
  for (const step of MIGRATIONS.slice(before)) sql.exec(step);
  if (before < MIGRATIONS.length) sql.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
  return ok(undefined);
};
