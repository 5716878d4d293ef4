import type { StoreMark, StoreMarks } from '#domain/ports/device.ts';

const PREFIX = 'replay-desk-store-';
const MARKS: ReadonlySet<string> = new Set<StoreMark>(['open', 'unsent', 'kept']);

const isMark = (value: string | null): value is StoreMark => value !== null && MARKS.has(value);

/** Does without marks where the browser forbids them: a loss of storage is then not noticed. */
const tolerate = <T>(work: () => T): T | undefined => {
  try {
    return work();
  } catch {
    return undefined;
  }
};

/**
 * Marks in localStorage, which lies apart from IndexedDB on the disk; clearing site data clears
 * both. A mark holds one word and is named by a number that only the server can relate to a person.
 */
export const createStoreMarks = (): StoreMarks => ({
  find: (storeId) => {
    const value = tolerate(() => localStorage.getItem(PREFIX + storeId)) ?? null;
    return isMark(value) ? value : undefined;
  },
  set: (storeId, mark) => tolerate(() => localStorage.setItem(PREFIX + storeId, mark)),
  remove: (storeId) => tolerate(() => localStorage.removeItem(PREFIX + storeId)),
});
