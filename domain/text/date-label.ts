import { toDayNumber } from '../rules/grouping.ts';
import { toLocalFormat } from './local-format.ts';

/** A weekday alone names a day less than a week before or after today. */
const WEEK_DAYS = 7;
/** The clock of a screen ticks once a minute, and that of the server may be ahead. */
const AHEAD_MS = 120_000;

const formatTime = toLocalFormat('en-US', { hour: 'numeric', minute: '2-digit' });
const formatWeekday = toLocalFormat('en-US', { weekday: 'long' });
/** "24/12/2025" */
export const formatDate = toLocalFormat('en-GB', { dateStyle: 'short' });
const formatDayAndMonth = toLocalFormat('en-GB', { day: 'numeric', month: 'long' });

/**
 * How many calendar days a time is before another; NaN for an invalid one. A time less than
 * `AHEAD_MS` ahead counts as today.
 */
export const countDays = (epochMs: number, nowMs: number): number =>
  epochMs > nowMs && epochMs - nowMs < AHEAD_MS ? 0 : toDayNumber(nowMs) - toDayNumber(epochMs);

/** A message's time of day in local time (spec §3): "3:07 PM". */
export const toTimeLabel = (epochMs: number): string => formatTime(epochMs).replaceAll(/\s/gu, ' ');

/**
 * Label of a message's date as seen at `nowMs`, in local time (spec §9): "Today at 3:07 PM",
 * "Yesterday", "Tomorrow", "Last Friday", "Friday", "24/12/2025". An invalid time has no label.
 */
export const toDateLabel = (epochMs: number, nowMs: number): string => {
  const daysAgo = countDays(epochMs, nowMs);
  if (Number.isNaN(daysAgo)) return '';
  if (daysAgo === 0) return `Today at ${toTimeLabel(epochMs)}`;
  if (daysAgo === 1) return 'Yesterday';
  if (daysAgo === -1) return 'Tomorrow';
  if (Math.abs(daysAgo) >= WEEK_DAYS) return formatDate(epochMs);
  return `${daysAgo > 0 ? 'Last ' : ''}${formatWeekday(epochMs)}`;
};

/** The date and the time of day: "Today at 3:07 PM", "Yesterday, 3:07 PM". */
export const toMomentLabel = (epochMs: number, nowMs: number): string => {
  const [label, time] = [toDateLabel(epochMs, nowMs), toTimeLabel(epochMs)];
  return label.endsWith(time) ? label : `${label}, ${time}`;
};

/** "20 November", with the year if it is another one. */
export const toDayAndMonth = (epochMs: number, nowMs: number): string => {
  const year = new Date(epochMs).getFullYear();
  const isThisYear = year === new Date(nowMs).getFullYear();
  return formatDayAndMonth(epochMs) + (isThisYear ? '' : ` ${year}`);
};

/**
 * Label of a day separator, as seen at `nowMs`: "Today", "Yesterday", "Friday 20 November",
 * with the year if it is another one.
 */
export const toDayLabel = (epochMs: number, nowMs: number): string => {
  const daysAgo = countDays(epochMs, nowMs);
  if (Number.isNaN(daysAgo)) return '';
  if (daysAgo === 0) return 'Today';
  if (daysAgo === 1) return 'Yesterday';
  return `${formatWeekday(epochMs)} ${toDayAndMonth(epochMs, nowMs)}`;
};

/** Label of the start of a wait: "9:14 AM", "yesterday", "Friday", "20 November". */
export const toSinceLabel = (epochMs: number, nowMs: number): string => {
  const daysAgo = countDays(epochMs, nowMs);
  if (Number.isNaN(daysAgo)) return '';
  if (daysAgo === 0) return toTimeLabel(epochMs);
  if (daysAgo === 1) return 'yesterday';
  return daysAgo > 1 && daysAgo < WEEK_DAYS
    ? formatWeekday(epochMs)
    : toDayAndMonth(epochMs, nowMs);
};

/** ISO 8601 for machines; empty for an invalid time. */
export const toIso = (epochMs: number): string => new Date(epochMs).toJSON() ?? '';
