import type { Unsubscribe } from '#domain/ports/kit.ts';

import type { UserDatabase } from '../schema/database.ts';
import { watch, type WatchedRows } from './watch.ts';

/** A watched query whose result all screens share: it is read and parsed once per change. */
export class SharedQuery<T> {
  #value: T | undefined;
  readonly #listeners = new Set<() => void>();
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
    for (const listener of this.#listeners) listener();
  };

  readonly watch = (listener: () => void): Unsubscribe => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

/**
 * Returns the shared query of a database, which starts with its first use and ends with it. It runs
 * again after a change of its `rows`.
 */
export const shareQuery = <T>(
  rows: WatchedRows,
  query: (db: UserDatabase, last: T | undefined) => Promise<T | undefined>,
): ((db: UserDatabase) => SharedQuery<T>) => {
  const shared = new WeakMap<UserDatabase, SharedQuery<T>>();
  return (db) => {
    const known = shared.get(db);
    if (known !== undefined) return known;
    const created = new SharedQuery<T>(db, rows, (last) => query(db, last));
    shared.set(db, created);
    return created;
  };
};
