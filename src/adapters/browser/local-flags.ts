/** Continues without flags if the browser denies them. */
const tolerate = <T>(work: () => T): T | undefined => {
  try {
    return work();
  } catch {
    return undefined;
  }
};

/**
 * Flags in localStorage, which is stored separately from IndexedDB; clearing site data clears both.
 * No call throws.
 */
export const localFlags = {
  find: (key: string): string | null => tolerate(() => localStorage.getItem(key)) ?? null,
  set: (key: string, word: string): void => tolerate(() => localStorage.setItem(key, word)),
  keys: (): readonly string[] => tolerate(() => Object.keys(localStorage)) ?? [],
  remove: (key: string): void => tolerate(() => localStorage.removeItem(key)),
};
