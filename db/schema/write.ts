import type { Dexie, Table, Transaction } from 'dexie';

/**
 * Runs `work` in one read-write transaction over `tables`. If the browser aborts it, only the
 * transaction has the reason (a full disk, for example), and its requests report just an abort.
 * This rejects with the reason.
 */
export const write = async <T>(
  db: Dexie,
  tables: readonly Table[],
  work: () => Promise<T>,
): Promise<T> => {
  let trans: Transaction | undefined;
  try {
    // Dexie keeps a transaction open across awaits only for a function that is async itself.
    return await db.transaction('rw', tables, async (started) => {
      trans = started;
      return await work();
    });
  } catch (error) {
    throw trans?.idbtrans?.error ?? error;
  }
};
