import type { UserDatabase } from '../schema/database.ts';
import { META } from '../schema/tables.ts';
import { ALL_ROWS, watch } from '../read/watch.ts';
import { findOwnKeys } from './own-keys.ts';

/** The current mark of a store; undefined before its keys are stored, and during a sign-out. */
const findMark = async (db: UserDatabase) => {
  const own = await findOwnKeys(db);
  const sealed = await db.meta.get(META.sealed);
  const unsent = await db.outbox.count();
  const storeId = own?.storeIds[0];
  if (storeId === undefined || sealed !== undefined) return undefined;
  return { storeId, mark: unsent > 0 ? ('unsent' as const) : ('open' as const) };
};

/**
 * Updates the mark of an open store with its unsent messages. If the store is deleted under the
 * page, its mark is removed, because the page reports that loss itself; the mark of kept
 * messages stays.
 */
export const followMark = (db: UserDatabase): void => {
  const { marks } = db;
  if (marks === undefined) return;
  let current: string | undefined;
  watch(
    db,
    { meta: [META.keys, META.sealed], outbox: ALL_ROWS },
    () => findMark(db),
    (found) => {
      if (found === undefined || db.isEnded) return;
      current = found.storeId;
      marks.set(found.storeId, found.mark);
    },
  );
  db.onLost(() => {
    if (current !== undefined && marks.find(current) !== 'kept') marks.remove(current);
  });
};
