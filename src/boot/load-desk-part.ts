import { hasOpenStore } from '#src/adapters/browser/store-flags.ts';

/**
 * Returns a function that loads a part of the signed-in page. If this device has an open store,
 * loading begins at once: a later `import()` would wait behind the rendering, even for a part that
 * has arrived. A failed load is tried again by the next call.
 */
export const loadDeskPart = <T>(load: () => Promise<T>): (() => Promise<T>) => {
  let early = hasOpenStore() ? load() : undefined;
  early?.catch(() => {
    early = undefined;
  });
  return () => {
    const loading = early ?? load();
    early = undefined;
    return loading;
  };
};
