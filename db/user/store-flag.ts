import type { UserDatabase } from '../schema/database.ts';
import { META } from '../schema/tables.ts';
import { ALL_ROWS, watch } from '../read/watch.ts';
import { findOwnKeys } from './own-keys.ts';

/** The current flag of a store; undefined before its keys are stored, and during a sign-out. */
const findFlag = async (db: UserDatabase) => {
  const own = await findOwnKeys(db);
  const sealed = await db.meta.get(META.sealed);
  const unsent = await db.outbox.count();
  const storeId = own?.storeIds[0];
  if (storeId === undefined || sealed !== undefined) return undefined;
  return { storeId, flag: unsent > 0 ? ('unsent' as const) : ('open' as const) };
};

/**
 * Updates the flag of an open store with its unsent messages. If the store is deleted under the
 * page, its flag is removed, because the page reports that loss itself; the flag of kept
 * messages stays.
 */
export const followFlag = (db: UserDatabase): void => {
  const { flags } = db;
  if (flags === undefined) return;
  let current: string | undefined;
  watch(
    db,
    { meta: [META.keys, META.sealed], outbox: ALL_ROWS },
    () => findFlag(db),
    (found) => {
      if (found === undefined || db.isEnded) return;
      current = found.storeId;
      flags.set(found.storeId, found.flag);
    },
  );
  db.onLost(() => {
    if (current !== undefined && flags.find(current) !== 'kept') flags.remove(current);
  });
};
