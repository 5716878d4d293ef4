import type { OutboxItem } from '#domain/project/rows.ts';

import type { UserDatabase } from '../schema/database.ts';
import { isUpToDate } from '../schema/projection-version.ts';
import { listUnsent } from './readable-tables.ts';
import { rebuildNow } from './rebuild.ts';
import { SealedError, toStorageError } from '../schema/storage-errors.ts';
import { META, type MetaRow, ROW_VERSION } from '../schema/tables.ts';
import { write } from '../schema/write.ts';

/** Throws `SealedError` if the store has a seal and accepts no more writes. */
export const mustBeOpen = (seal: MetaRow | undefined): void => {
  if (seal !== undefined) throw new SealedError('the store is sealed');
};

/**
 * Reads the unsent messages and stops accepting writes, in one transaction: a message that another
 * tab accepted before is included, and later ones are not accepted. A full disk cannot accept
 * messages either, and the data has to be deleted anyway.
 */
export const closeForDeletion = async (db: UserDatabase): Promise<readonly OutboxItem[]> => {
  // Tables of older reducers may lack a message or contain it in an unreadable form.
  if (!(await isUpToDate(db))) await rebuildNow(db);
  try {
    return await write(db, [db.outbox, db.meta], async () => {
      await db.meta.put({ key: META.sealed, at: db.clock.now(), v: ROW_VERSION });
      return listUnsent(db);
    });
  } catch (error) {
    if (toStorageError(error).kind !== 'quota') throw error;
    return listUnsent(db);
  }
};
