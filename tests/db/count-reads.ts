import { IDBIndex, IDBObjectStore } from 'fake-indexeddb';
import { vi } from 'vitest';

const METHODS = ['get', 'getAll', 'getAllKeys', 'openCursor', 'openKeyCursor', 'count'];

/**
 * Counts the requests of read transactions, which appends do not use, in every database of the
 * test. Returns a function that returns the number since its last call.
 */
export const countReads = (): (() => number) => {
  let count = 0;
  const watch = (prototype: IDBObjectStore | IDBIndex): void => {
    for (const method of METHODS) {
      const original: unknown = Reflect.get(prototype, method);
      const counted = function counted(this: IDBObjectStore | IDBIndex, ...given: unknown[]) {
        const store = 'objectStore' in this ? this.objectStore : this;
        if (store.transaction.mode === 'readonly') count += 1;
        return Reflect.apply(original as () => unknown, this, given) as unknown;
      };
      vi.spyOn(prototype, method as 'get').mockImplementation(counted as never);
    }
  };
  watch(IDBObjectStore.prototype);
  watch(IDBIndex.prototype);
  return () => {
    const before = count;
    count = 0;
    return before;
  };
};
