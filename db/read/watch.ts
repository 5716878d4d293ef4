import { Dexie, type ObservabilitySet, RangeSet, rangesOverlap } from 'dexie';

import type { AppError } from '#domain/errors.ts';
import { createListeners } from '#domain/listeners.ts';
import { oncePer } from '#domain/once-per.ts';
import type { Unsubscribe } from '#domain/ports/kit.ts';
import type { Result } from '#domain/result.ts';

import { afterAll } from '../facts/entry-row.ts';
import { READ_RETRY_MAX_MS, READ_RETRY_MIN_MS } from '../schema/limits.ts';
import { attempt } from '../schema/storage-errors.ts';
import { TABLES } from '../schema/tables.ts';
import type { UserDatabase } from '../schema/database.ts';

/**
 * The rows that a query reads, by table: those whose key starts with one of the texts. The key of a
 * fact in the log is its `key`.
 */
export type WatchedRows = Partial<Record<keyof typeof TABLES, readonly string[]>>;

/** Every row of a table. */
export const ALL_ROWS = [''];

/** Returns whether a commit may have changed one of the rows. Dexie reports its keys by index. */
const toCheck = (name: string, rows: WatchedRows): ((parts: ObservabilitySet) => boolean) => {
  const checks = Object.entries(rows).map(([table, prefixes]) => {
    const part = `idb://${name}/${table}/`;
    const wanted = prefixes.map((prefix) => new RangeSet(prefix, afterAll(prefix)));
    return (parts: ObservabilitySet): boolean => {
      const keys = parts[table === TABLES.log ? `${part}key` : part];
      // Deleted facts are reported without their `key`.
      const isDeleted = table === TABLES.log && 'from' in (parts[`${part}:dels`] ?? {});
      return isDeleted || wanted.some((range) => keys !== undefined && rangesOverlap(keys, range));
    };
  });
  return (parts) => 'all' in parts || checks.some((isChanged) => isChanged(parts));
};

/**
 * Calls `listener` with the result of `query` now and after every change of its `rows`, in this tab
 * or another, until the database is closed permanently. The query may read only the tables of
 * `rows`. If it fails, that is logged and it runs again, after growing delays.
 *
 * Dexie's live queries remember the keys of all commits until one of them changes their own rows
 * (`accumMuts` in its live-query.ts): an open page would grow with every message (decision 92).
 */
export const watch = <T>(
  db: UserDatabase,
  rows: WatchedRows,
  query: () => Promise<T>,
  listener: (value: T) => void,
): Unsubscribe => {
  const isChanged = toCheck(db.name, rows);
  const tables = Object.keys(rows);
  const read = () => attempt(db, () => db.transaction('r', tables, async () => query()));
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  let isReading = false;
  let isDue = false;
  let pauseMs = READ_RETRY_MIN_MS;
  const show = (found: Result<T, AppError>): void => {
    if (isStopped || db.isEnded) return;
    if (found.ok) {
      pauseMs = READ_RETRY_MIN_MS;
      listener(found.value);
      return;
    }
    if (!db.space.view.isClosed)
      db.clientLog.write('warn', 'STORAGE_WATCH_FAILED', { ...found.error });
    isDue = false;
    timer = setTimeout(() => void run(), pauseMs);
    pauseMs = Math.min(2 * pauseMs, READ_RETRY_MAX_MS);
  };
  const run = async (): Promise<void> => {
    isDue = true;
    if (isReading) return;
    isReading = true;
    clearTimeout(timer);
    try {
      while (isDue) {
        isDue = false;
        show(await read());
      }
    } finally {
      isReading = false;
    }
  };
  // A commit is reported in the zone of its transaction, which has ended.
  const start = (): void => {
    pauseMs = READ_RETRY_MIN_MS;
    Dexie.ignoreTransaction(() => void run());
  };
  const onMutated = (parts: ObservabilitySet): void => {
    if (isChanged(parts)) start();
  };
  const stop = (): void => {
    isStopped = true;
    forget();
    forgetMissed();
    clearTimeout(timer);
    Dexie.on.storagemutated.unsubscribe(onMutated);
  };
  const forgetMissed = db.rows.missed.add(start);
  const forget = db.onEnd(stop);
  // A database that has ended reports no end again.
  if (db.isEnded) return stop;
  Dexie.on.storagemutated.subscribe(onMutated);
  start();
  return stop;
};

/** See `Store.watchSpace`. */
export const watchSpace = (db: UserDatabase, listener: (isFull: boolean) => void): Unsubscribe => {
  const { space } = db;
  const notify = (): void => listener(space.view.isFull);
  notify();
  const forget = space.watch(notify);
  const forgetEnd = db.onEnd(forget);
  return () => {
    forgetEnd();
    forget();
  };
};

/** A watched query whose result all screens share: it is read and parsed once per change. */
export class SharedQuery<T> {
  #value: T | undefined;
  readonly #listeners = createListeners();
  readonly #first = Promise.withResolvers<void>();
  /** Resolves with the first result. */
  readonly ready = this.#first.promise;

  /** `query` gets the last result; returning it means that nothing changed. */
  constructor(
    db: UserDatabase,
    rows: WatchedRows,
    query: (last: T | undefined) => Promise<T | undefined>,
  ) {
    watch(db, rows, () => query(this.#value), this.show);
  }

  /** The last result; undefined until there is one. */
  readonly get = (): T | undefined => this.#value;

  /** Shows another result until the query returns its next one. */
  readonly show = (value: T | undefined): void => {
    this.#first.resolve();
    if (value === this.#value) return;
    this.#value = value;
    this.#listeners.emit();
  };

  readonly watch = this.#listeners.add;
}

/**
 * Returns the shared query of a database, which starts with its first use and ends with it. It runs
 * again after a change of its `rows`.
 */
export const shareQuery = <T>(
  rows: WatchedRows,
  query: (db: UserDatabase, last: T | undefined) => Promise<T | undefined>,
): ((db: UserDatabase) => SharedQuery<T>) =>
  oncePer((db) => new SharedQuery<T>(db, rows, (last) => query(db, last)));
