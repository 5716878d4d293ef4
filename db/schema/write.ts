import type { DBCore, Dexie, Table, Transaction } from 'dexie';

/**
 * Dexie has one durability per database: a scope that names its tables twice requests `relaxed`.
 */
const toRelaxedScope = (tables: readonly Table[]): readonly Table[] => [...tables, ...tables];

/** Applies the durability that `write` requests. */
export const applyDurability = (core: DBCore): DBCore => ({
  ...core,
  transaction: (stores, mode, options) => {
    const scope = [...new Set(stores)];
    const isRelaxed = scope.length < stores.length;
    return core.transaction(scope, mode, isRelaxed ? { durability: 'relaxed' } : options);
  },
});

/**
 * Runs `work` in one read-write transaction over `tables`. A `strict` one is on the disk before
 * this resolves. A power cut may lose a `relaxed` one (decision 61). If the browser
 * aborts it, only the transaction has the reason (a full disk, for example), and its requests
 * report just an abort. This rejects with the reason.
 */
export const write = async <T>(
  db: Dexie,
  tables: readonly Table[],
  work: () => Promise<T>,
  durability: 'strict' | 'relaxed' = 'strict',
): Promise<T> => {
  const scope = durability === 'relaxed' ? toRelaxedScope(tables) : tables;
  let trans: Transaction | undefined;
  try {
    // Every scope is an async function (decision 79).
    return await db.transaction('rw', scope, async (started) => {
      trans = started;
      return await work();
    });
  } catch (error) {
    throw trans?.idbtrans?.error ?? error;
  }
};
