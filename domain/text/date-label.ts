import { toDayNumber } from '../rules/grouping.ts';

/** A weekday alone names a day less than a week before or after today. */
const WEEK_DAYS = 7;

/** The platform's formats: a library's would be larger than the rest of a page. */
const TIME = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' });
const WEEKDAY = new Intl.DateTimeFormat('en-US', { weekday: 'long' });
const DATE = new Intl.DateTimeFormat('en-GB', {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
});
const DAY_AND_MONTH = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' });

const EPOCH_MS_MAX = 8.64e15;
const isTime = (epochMs: number): boolean => Math.abs(epochMs) <= EPOCH_MS_MAX;

/** A message's time of day in local time (spec §3): "3:07 PM". */
export const toTimeLabel = (epochMs: number): string =>
  isTime(epochMs) ? TIME.format(epochMs).replaceAll(/\s/gu, ' ') : '';

/**
 * Label of a message's date as seen at `nowMs`, in local time (spec §9): "Today at 3:07 PM",
 * "Yesterday", "Tomorrow", "Last Friday", "Friday", "24/12/2025". An invalid time has no label.
 */
export const toDateLabel = (epochMs: number, nowMs: number): string => {
  if (!isTime(epochMs) || !isTime(nowMs)) return '';
  const daysAgo = toDayNumber(nowMs) - toDayNumber(epochMs);
  if (daysAgo === 0) return `Today at ${toTimeLabel(epochMs)}`;
  if (daysAgo === 1) return 'Yesterday';
  if (daysAgo === -1) return 'Tomorrow';
  if (Math.abs(daysAgo) >= WEEK_DAYS) return DATE.format(epochMs);
  return `${daysAgo > 0 ? 'Last ' : ''}${WEEKDAY.format(epochMs)}`;
};

const toDayAndMonth = (epochMs: number, nowMs: number): string => {
  const year = new Date(epochMs).getFullYear();
  const isThisYear = year === new Date(nowMs).getFullYear();
  return DAY_AND_MONTH.format(epochMs) + (isThisYear ? '' : ` ${year}`);
};

/**
 * Label of a day separator, as seen at `nowMs`: "Today", "Yesterday", "Friday 20 November",
 * with the year if it is another one.
 */
export const toDayLabel = (epochMs: number, nowMs: number): string => {
  if (!isTime(epochMs) || !isTime(nowMs)) return '';
  const daysAgo = toDayNumber(nowMs) - toDayNumber(epochMs);
  if (daysAgo === 0) return 'Today';
  if (daysAgo === 1) return 'Yesterday';
  return `${WEEKDAY.format(epochMs)} ${toDayAndMonth(epochMs, nowMs)}`;
};

/** Label of the start of a wait: "9:14 AM", "yesterday", "Friday", "20 November". */
export const toSinceLabel = (epochMs: number, nowMs: number): string => {
  if (!isTime(epochMs) || !isTime(nowMs)) return '';
  const daysAgo = toDayNumber(nowMs) - toDayNumber(epochMs);
  if (daysAgo === 0) return toTimeLabel(epochMs);
  if (daysAgo === 1) return 'yesterday';
  return daysAgo > 1 && daysAgo < WEEK_DAYS
    ? WEEKDAY.format(epochMs)
    : toDayAndMonth(epochMs, nowMs);
};

/** ISO 8601 for machines; empty for an invalid time. */
export const toIso = (epochMs: number): string =>
  isTime(epochMs) ? new Date(epochMs).toISOString() : '';
