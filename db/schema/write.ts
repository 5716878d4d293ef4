import type { Dexie, Table, Transaction } from 'dexie';

/**
 * Runs `work` in one read-write transaction over `tables`. Where the browser aborts it, the
 * reason stands in the transaction alone (a full disk, say), while its requests only tell
 * that they were aborted: the reason is what this rejects with.
 */
export const write = async <T>(
  db: Dexie,
  tables: readonly Table[],
  work: () => Promise<T>,
): Promise<T> => {
  let trans: Transaction | undefined;
  try {
    // Dexie keeps a transaction open over awaits only for a function that is async itself.
    return await db.transaction('rw', tables, async (started) => {
      trans = started;
      return await work();
    });
  } catch (error) {
    throw trans?.idbtrans?.error ?? error;
  }
};
