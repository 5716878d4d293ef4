import { GROUP_SILENCE_MAX_MS } from '../limits.ts';
import type { ThreadItem } from '../project/rows.ts';
import { toEpochMs } from '../timetoken.ts';

const DAY_MS = 86_400_000;

/**
 * The number of a local calendar day: consecutive days differ by 1, also when the clocks change.
 * The days of a thread are compared before its first paint.
 */
export const toDayNumber = (epochMs: number): number => {
  const date = new Date(epochMs);
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY_MS;
};

/** The local midnight that begins the day of `epochMs`, moved by `days`. */
export const toMidnight = (epochMs: number, days = 0): number => {
  const date = new Date(epochMs);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime();
};

/** The engine's timetoken of a log entry, the time of acceptance of an unsent message. */
export const toItemTime = (item: ThreadItem): number =>
  item.source === 'log' ? toEpochMs(item.row.timetoken) : item.item.at;

export const toItemPublisher = (item: ThreadItem): string =>
  item.source === 'log' ? item.row.publisher : item.item.uid;

/**
 * Whether a time is on a later local day than the latest above it. Unsent messages are below the
 * log, however old they are: the days of a thread only move forward.
 */
export const startsDay = (latestMs: number, epochMs: number): boolean =>
  toDayNumber(epochMs) > toDayNumber(latestMs);

/**
 * Whether an item starts a group: consecutive messages of one publisher share a header (spec §4).
 * A new publisher, another day (in local time) or times more than `GROUP_SILENCE_MAX_MS` apart
 * start a new group, whose header shows the time. Clocks differ: a message that is a little earlier
 * than the one before stays in its group.
 */
export const startsGroup = (before: ThreadItem | undefined, item: ThreadItem): boolean =>
  before === undefined ||
  toItemPublisher(before) !== toItemPublisher(item) ||
  Math.abs(toItemTime(item) - toItemTime(before)) > GROUP_SILENCE_MAX_MS ||
  toDayNumber(toItemTime(before)) !== toDayNumber(toItemTime(item));
