import { useSyncExternalStore } from 'react';

import { toMidnight } from '#domain/rules/grouping.ts';

/** The date is checked this often: timers sleep with the machine, and it may travel. */
const POLL_INTERVAL_MS = 60_000;

const findToday = (): number => toMidnight(Date.now());

const watch = (check: () => void): (() => void) => {
  const timer = setInterval(check, POLL_INTERVAL_MS);
  document.addEventListener('visibilitychange', check);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', check);
  };
};

/**
 * The start of today, ms since the epoch; changes only when the day or the time zone does, so that
 * "Today" becomes "Yesterday" after midnight, after sleep and after a journey.
 */
export const useToday = (): number => useSyncExternalStore(watch, findToday);
