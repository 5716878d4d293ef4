import { countDays, formatDate, toTimeLabel } from './date-label.ts';
import { toLocalFormat } from './local-format.ts';

/** A weekday alone names a day less than a week before today. */
const WEEK_DAYS = 7;
const DAY_HOURS = 24;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** "Fri" */
export const formatShortWeekday = toLocalFormat('en-GB', { weekday: 'short' });
/** "20 Nov" */
export const formatShortDay = toLocalFormat('en-GB', { day: 'numeric', month: 'short' });

/**
 * Label for a narrow place: "2:05 PM", "Yesterday", "Mon", "12 Oct", and in another year
 * "12/10/2025". A time of tomorrow or later (a wrong clock) has its date.
 */
export const toShortLabel = (epochMs: number, nowMs: number): string => {
  const daysAgo = countDays(epochMs, nowMs);
  if (Number.isNaN(daysAgo)) return '';
  if (daysAgo === 0) return toTimeLabel(epochMs);
  if (daysAgo === 1) return 'Yesterday';
  if (daysAgo > 1 && daysAgo < WEEK_DAYS) return formatShortWeekday(epochMs);
  const isThisYear = new Date(epochMs).getFullYear() === new Date(nowMs).getFullYear();
  return isThisYear ? formatShortDay(epochMs) : formatDate(epochMs);
};

/** How long somebody has waited, rounded down: "3 h", "2 d"; empty for less than an hour. */
export const toWaitLabel = (sinceMs: number, nowMs: number): string => {
  const hours = Math.floor((nowMs - sinceMs) / HOUR_MS);
  if (!(hours >= 1)) return '';
  return hours < DAY_HOURS ? `${hours} h` : `${Math.floor(hours / DAY_HOURS)} d`;
};

/** `toWaitLabel` for places with more space, also for less than an hour: "12 min", "1 min". */
export const toFullWaitLabel = (sinceMs: number, nowMs: number): string =>
  toWaitLabel(sinceMs, nowMs) ||
  `${Math.max(1, Math.floor((nowMs - sinceMs) / MINUTE_MS) || 0)} min`;
