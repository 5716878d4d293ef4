import { toMidnight } from '../rules/grouping.ts';
import type { BusinessHours } from '../schemas/dashboard.ts';

/** Longer waits are counted as this many days, because the days are counted one by one. */
const DAYS_MAX = 3660;

const toMoment = (midnight: number, minute: number): number => {
  const date = new Date(midnight);
  // On a day with 23 or 25 hours the clock time counts, not the time since midnight.
  return new Date(date.getFullYear(), date.getMonth(), date.getDate(), 0, minute).getTime();
};

/** The part of a time span that lies within business hours, ms; all of it without hours. */
export const toWorkingMs = (from: number, to: number, hours: BusinessHours | undefined): number => {
  if (hours === undefined) return Math.max(0, to - from);
  let total = 0;
  let day = toMidnight(from);
  for (let count = 0; day < to && count < DAYS_MAX; count += 1) {
    if (hours.weekdays.includes(new Date(day).getDay())) {
      const begin = Math.max(from, toMoment(day, hours.from));
      const end = Math.min(to, toMoment(day, hours.to));
      total += Math.max(0, end - begin);
    }
    day = toMidnight(day, 1);
  }
  return total;
};
