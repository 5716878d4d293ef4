import { useEffect } from 'react';

/** After this, late parts load without content, also in a hidden tab, which paints nothing; ms. */
const WAIT_MS_MAX = 3000;

const { promise, resolve } = Promise.withResolvers<void>();
setTimeout(resolve, WAIT_MS_MAX);

/**
 * Resolves once this page has first painted the content of its address, for example the messages of
 * a room. Parts that are not needed earlier load then.
 */
export const contentShown = (): Promise<void> => promise;

/** Calls `act` after the next paint, unless it is cancelled before; a hidden tab paints later. */
export const afterPaint = (act: () => void): (() => void) => {
  const frame = requestAnimationFrame(() => setTimeout(act));
  return () => cancelAnimationFrame(frame);
};

/** Reports that the content is being shown; `contentShown` resolves after the next paint. */
export const useContentShown = (isShown: boolean): void => {
  useEffect(() => (isShown ? afterPaint(resolve) : undefined), [isShown]);
};
