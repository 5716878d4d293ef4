import { useEffect } from 'react';

/** After this, late parts load without content, also in a hidden tab, which paints nothing; ms. */
const WAIT_MS_MAX = 3000;

const { promise, resolve } = Promise.withResolvers<void>();
let limit: ReturnType<typeof setTimeout> | undefined;

/**
 * Resolves once this page has first painted the content of its address, for example the messages of
 * a room. Parts that are not needed earlier load then.
 */
export const contentShown = (): Promise<void> => {
  limit ??= setTimeout(resolve, WAIT_MS_MAX);
  return promise;
};

/** Calls `act` after the next paint; in a hidden tab, once it is visible. */
export const afterPaint = (act: () => void): void => {
  requestAnimationFrame(() => setTimeout(act));
};

/** Reports that the content is being shown; `contentShown` resolves after the next paint. */
export const useContentShown = (isShown: boolean): void => {
  useEffect(() => {
    if (isShown) afterPaint(resolve);
  }, [isShown]);
};
