import { toTimeLabel } from './date-label.ts';
import { formatShortDay, formatShortWeekday } from './short-label.ts';

/** A time that is offered for a reminder, ms since the epoch. */
export interface RemindTime {
  readonly label: string;
  readonly at: number;
  /** Set if it counts from the moment of the choice, ms. */
  readonly after?: number;
}

const HOUR_MS = 3_600_000;
const MORNING_HOUR = 9;
const MONDAY = 1;
const WEEK_DAYS = 7;

/** The morning of the day that is `days` after today, in local time. */
const toMorning = (now: number, days: number): number => {
  const date = new Date(now);
  return new Date(
    date.getFullYear(),
    date.getMonth(),
    date.getDate() + days,
    MORNING_HOUR,
  ).getTime();
};

/**
 * The times offered at `now`, the earliest first. On a Sunday, tomorrow is the Monday and is
 * offered once.
 */
export const listRemindTimes = (now: number): readonly RemindTime[] => {
  const untilMonday = (MONDAY + WEEK_DAYS - new Date(now).getDay()) % WEEK_DAYS || WEEK_DAYS;
  const tomorrow = { label: 'Tomorrow morning', at: toMorning(now, 1) };
  const monday = { label: 'Monday morning', at: toMorning(now, untilMonday) };
  return [
    { label: 'In 1 hour', at: now + HOUR_MS, after: HOUR_MS },
    { label: 'In 3 hours', at: now + 3 * HOUR_MS, after: 3 * HOUR_MS },
    ...(untilMonday === 1 ? [] : [tomorrow]),
    monday,
  ];
};

/** When the reminder is due that is chosen at `now`; undefined if that time has passed. */
export const toChosenTime = ({ at, after }: RemindTime, now: number): number | undefined => {
  if (after !== undefined) return now + after;
  return at > now ? at : undefined;
};

/** Later than anyone plans. */
const YEARS_MAX = 10;

/** Parses the value of a date and time field; undefined for a time in the past or too far off. */
export const parseRemindTime = (text: string, now: number): number | undefined => {
  const at = new Date(text).getTime();
  const latest = new Date(now).setFullYear(new Date(now).getFullYear() + YEARS_MAX);
  return at > now && at < latest ? at : undefined;
};

/** "Today, 4:20 PM", "Tue 24 Nov, 9:00 AM", in another year "Tue 1 May 2035, 9:00 AM" */
export const toRemindLabel = (at: number, now: number): string => {
  const [then, today] = [new Date(at), new Date(now)];
  const isToday = then.toDateString() === today.toDateString();
  const year = then.getFullYear() === today.getFullYear() ? '' : ` ${then.getFullYear()}`;
  const day = `${formatShortWeekday(at)} ${formatShortDay(at)}${year}`;
  return `${isToday ? 'Today' : day}, ${toTimeLabel(at)}`;
};
