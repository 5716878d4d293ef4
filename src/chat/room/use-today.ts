import { useSyncExternalStore } from 'react';

/** The date is checked this often: timers sleep with the machine, and it may travel. */
const LOOK_AGAIN_MS = 60_000;

const toMidnight = (): number => new Date().setHours(0, 0, 0, 0);

const watch = (look: () => void): (() => void) => {
  const timer = setInterval(look, LOOK_AGAIN_MS);
  document.addEventListener('visibilitychange', look);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', look);
  };
};

/**
 * The start of today, ms since the epoch; changes only when the day or the time zone does, so that
 * "Today" becomes "Yesterday" after midnight, after sleep and after a journey.
 */
export const useToday = (): number => useSyncExternalStore(watch, toMidnight);
