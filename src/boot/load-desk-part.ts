import { hasOpenStore } from '#src/adapters/browser/store-flags.ts';

/**
 * Returns a function that loads a part of the signed-in page. If this device has an open store,
 * that begins at once: each `import()` returns to the event loop, where it would wait for what is
 * being rendered. After a failure the next call tries again.
 */
export const loadDeskPart = <T>(load: () => Promise<T>): (() => Promise<T>) => {
  let early = hasOpenStore() ? load() : undefined;
  early?.catch(() => undefined);
  return () => {
    const loading = early ?? load();
    early = undefined;
    return loading;
  };
};
