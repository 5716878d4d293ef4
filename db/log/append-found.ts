import type { AppError } from '#domain/errors.ts';
import type { Fact } from '#domain/events.ts';
import { ok, type Result } from '#domain/result.ts';

import type { UserDatabase } from '../schema/database.ts';
import { attempt } from '../schema/storage-errors.ts';
import { write } from '../schema/write.ts';
import { appendInTransaction } from './event-log.ts';

/** Stores facts, also on a full disk. */
export type Append = (
  db: UserDatabase,
  facts: readonly Fact[],
) => Promise<Result<unknown, AppError>>;

/**
 * Appends marks that depend on what is stored: they are found in the transaction that adds them, so
 * that of two tabs that note something at once the second one knows of the first. Facts that change
 * other tables must not be among them.
 */
export const appendFound = async (
  db: UserDatabase,
  append: Append,
  find: () => Promise<readonly Fact[]>,
): Promise<Result<void, AppError>> => {
  const added = await attempt(db, () =>
    write(db, db.logged, async () => appendInTransaction(db, await find())),
  );
  if (added.ok) return ok(undefined);
  if (added.error.kind !== 'quota') return added;
  // Where space is made, what was found must be named.
  const found = await attempt(db, find);
  if (!found.ok) return found;
  const appended = await append(db, found.value);
  return appended.ok ? ok(undefined) : appended;
};
