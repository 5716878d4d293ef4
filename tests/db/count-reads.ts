import { IDBIndex, IDBObjectStore } from 'fake-indexeddb';
import { vi } from 'vitest';

import type { UserDatabase } from '#db/schema/database.ts';

const METHODS = ['get', 'getAll', 'getAllKeys', 'openCursor', 'openKeyCursor', 'count'];

/** Calls `note` with each request of a read transaction of `db`, the database of one tab. */
const watchRequests = (db: UserDatabase, note: (request: IDBRequest) => void): void => {
  const connection: unknown = db.backendDB();
  const watch = (prototype: IDBObjectStore | IDBIndex): void => {
    for (const method of METHODS) {
      const original: unknown = Reflect.get(prototype, method);
      const noted = function noted(this: IDBObjectStore | IDBIndex, ...given: unknown[]) {
        const { transaction } = 'objectStore' in this ? this.objectStore : this;
        const request = Reflect.apply(original as () => IDBRequest, this, given);
        if (transaction.db === connection && transaction.mode === 'readonly') note(request);
        return request;
      };
      vi.spyOn(prototype, method as 'get').mockImplementation(noted as never);
    }
  };
  watch(IDBObjectStore.prototype);
  watch(IDBIndex.prototype);
};

/** Returns a function that returns the number so far since its last call. */
const toCounter = () => {
  let count = 0;
  const take = (): number => {
    const before = count;
    count = 0;
    return before;
  };
  return { add: (more: number): void => void (count += more), take };
};

/**
 * Counts the requests of one tab's read transactions, which appends do not use. Returns a function
 * that returns the number since its last call.
 */
export const countReads = (db: UserDatabase): (() => number) => {
  const { add, take } = toCounter();
  watchRequests(db, () => add(1));
  return take;
};

/** Like `countReads`, for the rows, keys and values that such requests find. */
export const countRows = (db: UserDatabase): (() => number) => {
  const { add, take } = toCounter();
  watchRequests(db, (request) =>
    request.addEventListener('success', () => {
      const found: unknown = request.result;
      if (found !== undefined && found !== null) add(Array.isArray(found) ? found.length : 1);
    }),
  );
  return take;
};

/** Like `countReads`, for their answers: a cursor gives one for each of its steps. */
export const countAnswers = (db: UserDatabase): (() => number) => {
  const { add, take } = toCounter();
  watchRequests(db, (request) => request.addEventListener('success', () => add(1)));
  return take;
};
