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

/** The engine's timetoken of a log entry, the time of acceptance of an unsent message. */
export const toItemTime = (item: ThreadItem): number =>
  item.source === 'log' ? toEpochMs(item.row.timetoken) : item.item.at;

export const toItemPublisher = (item: ThreadItem): string =>
  item.source === 'log' ? item.row.publisher : item.item.uid;

/** Whether an item is on a different local day than the previous one. */
export const startsDay = (before: ThreadItem, item: ThreadItem): boolean =>
  toDayNumber(toItemTime(before)) !== toDayNumber(toItemTime(item));

/**
 * Whether an item starts a group: consecutive messages of one publisher share a header (spec §4).
 * A new publisher, a new day (in local time) or a silence of more than `GROUP_SILENCE_MAX_MS`
 * starts a new group, whose header shows the time.
 */
export const startsGroup = (before: ThreadItem | undefined, item: ThreadItem): boolean =>
  before === undefined ||
  toItemPublisher(before) !== toItemPublisher(item) ||
  toItemTime(item) - toItemTime(before) > GROUP_SILENCE_MAX_MS ||
  startsDay(before, item);
