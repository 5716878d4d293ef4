import { useSyncExternalStore } from 'react';

const isInFront = (): boolean => document.visibilityState === 'visible' && document.hasFocus();

const watchFront = (listener: () => void): (() => void) => {
  const over = new AbortController();
  window.addEventListener('focus', listener, over);
  window.addEventListener('blur', listener, over);
  document.addEventListener('visibilitychange', listener, over);
  return () => over.abort();
};

/** Whether the user is likely to see this window. */
export const useInFront = (): boolean => useSyncExternalStore(watchFront, isInFront);
