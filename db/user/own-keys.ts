import type { KnownStore, OwnKeys } from '#domain/ports/device.ts';

import type { UserDatabase } from '../schema/database.ts';
import { META } from '../schema/tables.ts';
import { write } from '../schema/write.ts';

/**
 * The keys of this store's user; undefined until the server returned them once, and if the
 * stored row is unreadable: the server returns them again.
 */
export const findOwnKeys = async (db: UserDatabase): Promise<OwnKeys | undefined> => {
  const row = await db.findMeta(META.keys);
  if (row === undefined) return undefined;
  const { keys, storeIds } = row;
  if (Array.isArray(keys) && keys.length > 0 && Array.isArray(storeIds)) return { keys, storeIds };
  db.clientLog.write('error', 'STORED_ROW_UNREADABLE', { table: 'meta' });
  return undefined;
};

/**
 * See `Store.saveKeys`. The flag is read first, because storing the keys sets it. Known keys are
 * not written again, which a full disk would refuse.
 */
export const saveOwnKeys = async (db: UserDatabase, own: OwnKeys): Promise<KnownStore> => {
  const { flags } = db;
  const flag = own.storeIds.map((id) => flags?.find(id)).find((found) => found !== undefined);
  // Durable: the flag must not outlive the keys in a power cut.
  const known = await write(db, [db.meta], async () => {
    const before = await findOwnKeys(db);
    // The server derives key and store id from the same secret.
    if (String(before?.storeIds) !== String(own.storeIds)) {
      await db.putMeta({ ...own, key: META.keys });
    }
    return before;
  });
  const current = new Set(own.storeIds.slice(0, 1));
  const outdated = [...own.storeIds, ...(known?.storeIds ?? [])].filter((id) => !current.has(id));
  for (const id of outdated) flags?.remove(id);
  return { isNew: known === undefined, flag };
};
