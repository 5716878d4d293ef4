/** Does without marks where the browser forbids them. */
const tolerate = <T>(work: () => T): T | undefined => {
  try {
    return work();
  } catch {
    return undefined;
  }
};

/**
 * Words kept in localStorage, which lies apart from IndexedDB on the disk; clearing site data
 * clears both. Nothing here throws.
 */
export const marks = {
  find: (key: string): string | null => tolerate(() => localStorage.getItem(key)) ?? null,
  set: (key: string, word: string): void => tolerate(() => localStorage.setItem(key, word)),
  remove: (key: string): void => tolerate(() => localStorage.removeItem(key)),
};
