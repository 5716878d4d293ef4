import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { fail, ok, type Result } from '#domain/result.ts';

import { toReason } from '../kernel/embedded-error.ts';
import { DATABASE_FILE } from './open.ts';
import { createOwnerOnly } from '../kernel/owner-only.ts';

const BUSY_MS = 5000;

export interface DatabaseCopy {
  readonly messages: number;
}

/** Verifies the copy: an unreadable backup would be useless. */
const examine = (file: string): Result<DatabaseCopy, string> => {
  const sql = new DatabaseSync(file, { readOnly: true });
  try {
    const verdict = sql.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check'];
    if (verdict !== 'ok') return fail(`The copy is damaged: ${String(verdict)}`);
    return ok({ messages: Number(sql.prepare('SELECT count(*) AS n FROM log').get()?.['n']) });
  } finally {
    sql.close();
  }
};

/**
 * Copies the database of a data folder into a new file, even while a server writes: one read
 * transaction gives a consistent snapshot with everything acknowledged before it. The copy is
 * renamed into place once it is verified. The error is a text for the operator.
 */
export const copyDatabase = (dataDir: string, target: string): Result<DatabaseCopy, string> => {
  const source = join(dataDir, DATABASE_FILE);
  if (!existsSync(source)) return fail(`${dataDir} contains no data.`);
  if (existsSync(target)) return fail(`${target} already exists: nothing was overwritten.`);
  const unfinished = `${target}.unfinished`;
  try {
    mkdirSync(dirname(target), { recursive: true });
    rmSync(unfinished, { force: true });
    createOwnerOnly(unfinished);
    const sql = new DatabaseSync(source, { readOnly: true, timeout: BUSY_MS });
    try {
      sql.prepare('VACUUM INTO ?').run(unfinished);
    } finally {
      sql.close();
    }
    const copy = examine(unfinished);
    if (copy.ok) renameSync(unfinished, target);
    return copy;
  } catch (thrown) {
    return fail(`${dataDir} could not be copied: ${toReason(thrown)}.`);
  } finally {
    if (existsSync(unfinished)) rmSync(unfinished);
  }
};
