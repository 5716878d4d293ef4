import { useSyncExternalStore } from 'react';

const watchVisibility = (listener: () => void): (() => void) => {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
};
const isVisible = (): boolean => document.visibilityState === 'visible';

/** Whether the page is visible: a toast in a hidden one would end unseen. */
export const useIsVisible = (): boolean => useSyncExternalStore(watchVisibility, isVisible);
