import type { UserDatabase } from '../schema/database.ts';
import { META } from '../schema/tables.ts';
import { watch } from '../read/watch.ts';
import { findOwnKeys } from './own-keys.ts';

/** What the mark of a store should say; undefined before its keys are here, and while it is left. */
const findMark = async (db: UserDatabase) => {
  const own = await findOwnKeys(db);
  const sealed = await db.meta.get(META.sealed);
  const unsent = await db.outbox.count();
  const storeId = own?.storeIds[0];
  if (storeId === undefined || sealed !== undefined) return undefined;
  return { storeId, mark: unsent > 0 ? ('unsent' as const) : ('open' as const) };
};

/**
 * Keeps the mark of an open store in step with what is unsent in it. A store that was deleted
 * under the page takes its mark along, since the page says so itself; what is kept stays marked.
 */
export const followMark = (db: UserDatabase): void => {
  const { marks } = db;
  if (marks === undefined) return;
  let current: string | undefined;
  watch(
    db,
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
