import { useEffect, useState } from 'react';

/** Timers sleep with the machine; the date is checked at least this often. */
const LOOK_AGAIN_MS = 600_000;

const toNextMidnight = (now: number): number => {
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime();
};

/**
 * A moment of today, ms since the epoch; changes only when the day does, so that "Today" becomes
 * "Yesterday" at midnight and after sleep.
 */
export const useToday = (): number => {
  const [today, setToday] = useState(() => Date.now());
  useEffect(() => {
    const midnight = toNextMidnight(today);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      clearTimeout(timer);
      const now = Date.now();
      if (now >= midnight || toNextMidnight(now) !== midnight) setToday(now);
      else timer = setTimeout(look, Math.min(midnight - now, LOOK_AGAIN_MS));
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [today]);
  return today;
};
