/** Outside these a date cannot be written (ECMA-262). */
const EPOCH_MS_MAX = 8.64e15;

const DAY = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});

const isTime = (epochMs: number): boolean => Math.abs(epochMs) <= EPOCH_MS_MAX;

/** The day of a moment in local time, as it stands between days: "Friday, 20 November 2026". */
export const toDayLabel = (epochMs: number): string => (isTime(epochMs) ? DAY.format(epochMs) : '');

/** For machines: ISO 8601, empty for a time that is none. */
export const toIso = (epochMs: number): string =>
  isTime(epochMs) ? new Date(epochMs).toISOString() : '';
