import { useSyncExternalStore } from 'react';

const neverChanges = () => () => undefined;

/**
 * Whether a component responds; false in the HTML of the build until React has adopted its
 * elements.
 */
export const useIsHydrated = (): boolean =>
  useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
