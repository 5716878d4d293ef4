import { format } from 'date-fns/format';
import { formatRelative } from 'date-fns/formatRelative';
import { enUS } from 'date-fns/locale/en-US';

/** Words for a date beside today (spec §9); the past and coming six days by weekday. */
const PATTERNS = {
  today: "'Today at' h:mm a",
  yesterday: "'Yesterday'",
  tomorrow: "'Tomorrow'",
  lastWeek: "'last' eeee",
  nextWeek: 'eeee',
  other: 'dd/MM/yyyy',
} as const;

const LOCALE = { ...enUS, formatRelative: (token: keyof typeof PATTERNS) => PATTERNS[token] };

const EPOCH_MS_MAX = 8.64e15;
const isTime = (epochMs: number): boolean => Math.abs(epochMs) <= EPOCH_MS_MAX;

/**
 * Label of a message's date as seen at `nowMs`, in local time: "Today at 3:07 PM",
 * "Yesterday", "Tomorrow", "last Friday", "Friday", "24/12/2025". A time that is no time
 * has no label.
 */
export const toDateLabel = (epochMs: number, nowMs: number): string =>
  isTime(epochMs) && isTime(nowMs) ? formatRelative(epochMs, nowMs, { locale: LOCALE }) : '';

/** A message's time of day in local time (spec §3): "3:07 PM". */
export const toTimeLabel = (epochMs: number): string =>
  isTime(epochMs) ? format(epochMs, 'h:mm a', { locale: enUS }) : '';
