import { useSyncExternalStore } from 'react';

const isInFront = (): boolean => document.visibilityState === 'visible' && document.hasFocus();

const watchFront = (listener: () => void): (() => void) => {
  const listening = new AbortController();
  window.addEventListener('focus', listener, listening);
  window.addEventListener('blur', listener, listening);
  document.addEventListener('visibilitychange', listener, listening);
  return () => listening.abort();
};

/** Whether the user is likely to see this window. */
export const useInFront = (): boolean => useSyncExternalStore(watchFront, isInFront);
