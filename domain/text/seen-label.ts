import { countDays, toDayAndMonth, toTimeLabel } from './date-label.ts';

const MINUTE_MS = 60_000;
const JUST_NOW_MS = 2 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * A past time as a part of a sentence, in local time: "just now", "12 minutes ago", "today at
 * 3:07 PM", "yesterday at 3:07 PM", "on 24 December", "on 24 December 2025", "at an unknown
 * time" outside the range of a date. Last seen times are up to a minute late, hence no seconds.
 */
export const toSeenLabel = (epochMs: number, nowMs: number): string => {
  const daysAgo = countDays(epochMs, nowMs);
  if (Number.isNaN(daysAgo)) return 'at an unknown time';
  const ago = nowMs - epochMs;
  if (ago < JUST_NOW_MS) return 'just now';
  if (ago < HOUR_MS) return `${Math.floor(ago / MINUTE_MS)} minutes ago`;
  if (daysAgo === 0) return `today at ${toTimeLabel(epochMs)}`;
  if (daysAgo === 1) return `yesterday at ${toTimeLabel(epochMs)}`;
  return `on ${toDayAndMonth(epochMs, nowMs)}`;
};
