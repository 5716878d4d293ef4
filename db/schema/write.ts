import { type DBCore, Dexie, type Table, type Transaction } from 'dexie';

import { RENEW_MS_MAX } from './limits.ts';
import type { DiskDatabase, SpaceState } from './space-state.ts';

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

/** Created and deleted at once. */
const SHORT_LIVED = 'replay-desk-log';

const createAndDelete = async ({ indexedDB }: Pick<DiskDatabase, 'indexedDB'>): Promise<void> => {
  const shortLived = new Dexie(SHORT_LIVED, indexedDB);
  shortLived.version(1).stores({});
  await shortLived.open();
  await shortLived.delete();
};

/**
 * Makes Chromium write its log to tables and start a new one: it does so after it deleted a
 * database. Rejects on a full disk, and after some time: another tab may keep the database open.
 */
export const renewLog = (db: Pick<DiskDatabase, 'indexedDB'>): Promise<void> =>
  Promise.race([
    createAndDelete(db),
    new Promise<never>((_, reject) => {
      setTimeout(reject, RENEW_MS_MAX, new Error('timed out'));
    }),
  ]);

/** By the disk that the databases of a page share; `undefined` once it is done. */
const renewals = new WeakMap<SpaceState, Promise<void> | undefined>();

const renewOnce = async (db: DiskDatabase): Promise<void> => {
  try {
    await renewLog(db);
  } catch (error) {
    db.clientLog.write('warn', 'LOG_NOT_RENEWED', { message: String(error) });
  }
  renewals.set(db.space, undefined);
};

/**
 * Renews the log once, before the first write of a page; undefined if that is done. Chromium
 * continues the log of its last run. If a crash tore the last record of that log, it finds the log
 * damaged at its next start, and empties all databases (decision 96). If the renewal fails or takes
 * too long, the page writes to the old log: a torn record in it is improbable.
 */
export const beforeFirstWrite = (db: DiskDatabase): Promise<void> | undefined => {
  const { space } = db;
  if (space.disk === undefined) return undefined;
  if (!renewals.has(space)) renewals.set(space, renewOnce(db));
  return renewals.get(space);
};

/**
 * Runs `work` in one read-write transaction over `tables`. A `strict` one is on the disk before
 * this resolves. A power cut may lose a `relaxed` one (decision 61). The first one of a page waits
 * for a new log (decision 96). If the browser aborts it, only the transaction has the reason (a
 * full disk, for example), and its requests report just an abort. This rejects with the reason.
 */
export const write = async <T>(
  db: DiskDatabase,
  tables: readonly Table[],
  work: () => Promise<T>,
  durability: 'strict' | 'relaxed' = 'strict',
): Promise<T> => {
  const renewal = beforeFirstWrite(db);
  if (renewal !== undefined) await renewal;
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
