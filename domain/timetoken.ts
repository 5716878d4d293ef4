import * as z from 'zod/mini';

/**
 * A position in a room's log: ten-millionths of a second since the epoch as a string of exactly
 * 17 digits. Equal length makes string order the time order; a Number would lose digits,
 * because the value exceeds 2^53.
 */
export type Timetoken = string & { readonly __brand: 'Timetoken' };

const PATTERN = /^\d{17}$/;
const TICKS_PER_MS = 10_000n;
/** The digits of a timetoken below a millisecond. */
const TICKS_PER_MS_DIGITS = 4;

/** Before every message. */
export const TIMETOKEN_ZERO = '00000000000000000' as Timetoken;
/** After every message. */
export const TIMETOKEN_MAX = '99999999999999999' as Timetoken;

export const isTimetoken = (value: unknown): value is Timetoken =>
  typeof value === 'string' && PATTERN.test(value);

/** Accepts any value; everything but a string of 17 digits (numbers included) is undefined. */
export const parseTimetoken = (value: unknown): Timetoken | undefined =>
  isTimetoken(value) ? value : undefined;

export const timetokenSchema = z.custom<Timetoken>(isTimetoken, 'expected a 17-digit timetoken');

/** Milliseconds since the epoch, rounded down. */
export const toEpochMs = (timetoken: Timetoken): number =>
  Number(timetoken.slice(0, -TICKS_PER_MS_DIGITS));

/** The first timetoken of a millisecond. Negative and oversized times are clamped. */
export const fromEpochMs = (epochMs: number): Timetoken => {
  const ticks = BigInt(Math.max(0, Math.floor(epochMs))) * TICKS_PER_MS;
  const text = ticks.toString().padStart(17, '0');
  return text.length > 17 ? TIMETOKEN_MAX : (text as Timetoken);
};

/** The next position, used to keep a log strictly increasing. */
export const nextTimetoken = (timetoken: Timetoken): Timetoken =>
  (BigInt(timetoken) + 1n).toString().padStart(17, '0') as Timetoken;

/** The previous position; the first position stays as it is. */
export const previousTimetoken = (timetoken: Timetoken): Timetoken =>
  timetoken === TIMETOKEN_ZERO
    ? TIMETOKEN_ZERO
    : ((BigInt(timetoken) - 1n).toString().padStart(17, '0') as Timetoken);

/** The order of positions, the earlier one first. */
export const compareTimetokens = (a: Timetoken, b: Timetoken): number =>
  a < b ? -1 : Number(a > b);

export const earlierOf = (a: Timetoken, b: Timetoken): Timetoken => (a < b ? a : b);
export const laterOf = (a: Timetoken, b: Timetoken): Timetoken => (a > b ? a : b);
