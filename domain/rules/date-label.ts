import { differenceInCalendarDays } from 'date-fns/differenceInCalendarDays';
import { format } from 'date-fns/format';
import { formatRelative } from 'date-fns/formatRelative';
import { isSameYear } from 'date-fns/isSameYear';
import { enUS } from 'date-fns/locale/en-US';

/** Words for a date beside today (spec §9); the past and coming six days by weekday. */
const PATTERNS = {
  today: "'Today at' h:mm a",
  yesterday: "'Yesterday'",
  tomorrow: "'Tomorrow'",
  lastWeek: "'Last' eeee",
  nextWeek: 'eeee',
  other: 'dd/MM/yyyy',
} as const;

const EN = { locale: enUS };
const LOCALE = { ...enUS, formatRelative: (token: keyof typeof PATTERNS) => PATTERNS[token] };
/** A weekday alone names a day of the last week. */
const WEEK_DAYS = 7;

const EPOCH_MS_MAX = 8.64e15;
const isTime = (epochMs: number): boolean => Math.abs(epochMs) <= EPOCH_MS_MAX;

/**
 * Label of a message's date as seen at `nowMs`, in local time: "Today at 3:07 PM",
 * "Yesterday", "Tomorrow", "Last Friday", "Friday", "24/12/2025". A time that is no time
 * has no label.
 */
export const toDateLabel = (epochMs: number, nowMs: number): string =>
  isTime(epochMs) && isTime(nowMs) ? formatRelative(epochMs, nowMs, { locale: LOCALE }) : '';

/** A message's time of day in local time (spec §3): "3:07 PM". */
export const toTimeLabel = (epochMs: number): string =>
  isTime(epochMs) ? format(epochMs, 'h:mm a', EN) : '';

const toDayAndMonth = (epochMs: number, nowMs: number): string =>
  format(epochMs, isSameYear(epochMs, nowMs) ? 'd MMMM' : 'd MMMM yyyy', EN);

/**
 * A local day as it stands between days, as seen at `nowMs`: "Today", "Yesterday",
 * "Friday 20 November", with the year where it is another one.
 */
export const toDayLabel = (epochMs: number, nowMs: number): string => {
  if (!isTime(epochMs) || !isTime(nowMs)) return '';
  const daysAgo = differenceInCalendarDays(nowMs, epochMs);
  if (daysAgo === 0) return 'Today';
  if (daysAgo === 1) return 'Yesterday';
  return `${format(epochMs, 'eeee', EN)} ${toDayAndMonth(epochMs, nowMs)}`;
};

/** A moment since which something waits: "9:14 AM", "yesterday", "Friday", "20 November". */
export const toSinceLabel = (epochMs: number, nowMs: number): string => {
  if (!isTime(epochMs) || !isTime(nowMs)) return '';
  const daysAgo = differenceInCalendarDays(nowMs, epochMs);
  if (daysAgo === 0) return toTimeLabel(epochMs);
  if (daysAgo === 1) return 'yesterday';
  return daysAgo > 1 && daysAgo < WEEK_DAYS
    ? format(epochMs, 'eeee', EN)
    : toDayAndMonth(epochMs, nowMs);
};

/** For machines: ISO 8601, empty for a time that is none. */
export const toIso = (epochMs: number): string =>
  isTime(epochMs) ? new Date(epochMs).toISOString() : '';
