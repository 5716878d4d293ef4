import { format } from 'date-fns/format';
import { isSameDay } from 'date-fns/isSameDay';
import { isSameYear } from 'date-fns/isSameYear';
import { isValid } from 'date-fns/isValid';
import { enUS } from 'date-fns/locale/en-US';
import { subDays } from 'date-fns/subDays';

const MINUTE_MS = 60_000;
const JUST_NOW_MS = 2 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * A past time as a part of a sentence, in local time: "just now", "12 minutes ago", "today at
 * 3:07 PM", "yesterday at 3:07 PM", "on 24 December", "on 24 December 2025", "at an unknown
 * time" outside the range of a date. Last seen times are up to a minute late, hence no seconds.
 */
export const toSeenLabel = (epochMs: number, nowMs: number): string => {
  if (!isValid(epochMs)) return 'at an unknown time';
  const ago = nowMs - epochMs;
  if (ago < JUST_NOW_MS) return 'just now';
  if (ago < HOUR_MS) return `${Math.floor(ago / MINUTE_MS)} minutes ago`;
  const time = format(epochMs, 'h:mm a', { locale: enUS });
  if (isSameDay(epochMs, nowMs)) return `today at ${time}`;
  if (isSameDay(epochMs, subDays(nowMs, 1))) return `yesterday at ${time}`;
  const pattern = isSameYear(epochMs, nowMs) ? "'on' d MMMM" : "'on' d MMMM yyyy";
  return format(epochMs, pattern, { locale: enUS });
};
