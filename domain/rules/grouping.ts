import { endOfDay } from 'date-fns/endOfDay';
import { startOfDay } from 'date-fns/startOfDay';

import { GROUP_SILENCE_MAX_MS } from '../limits.ts';
import type { ThreadItem } from '../project/rows.ts';
import { toEpochMs } from '../timetoken.ts';

/** Consecutive messages of one publisher on one day share a header (spec §4). */
export interface MessageGroup {
  /** Key of the first message. */
  readonly key: string;
  readonly publisher: string;
  readonly own: boolean;
  /** When the first message was written, ms since the epoch. */
  readonly at: number;
  /** Start of its local day, ms since the epoch. */
  readonly day: number;
  readonly items: readonly ThreadItem[];
}

/** The engine's timetoken of a log entry, the time of acceptance of an unsent message. */
export const toItemTime = (item: ThreadItem): number =>
  item.source === 'log' ? toEpochMs(item.row.timetoken) : item.item.at;

export const toItemPublisher = (item: ThreadItem): string =>
  item.source === 'log' ? item.row.publisher : item.item.uid;

/** A local day, both ends inclusive, ms since the epoch. */
interface Day {
  readonly from: number;
  readonly to: number;
}

const toDay = (at: number): Day => ({
  from: startOfDay(at).getTime(),
  to: endOfDay(at).getTime(),
});

/**
 * Splits a thread into groups, in order; joining their items returns the thread. A new
 * publisher, a new day (in local time) or a silence of more than `GROUP_SILENCE_MAX_MS` starts
 * a new group, whose header shows the time.
 */
export const groupThread = (items: readonly ThreadItem[]): readonly MessageGroup[] => {
  const groups: (MessageGroup & { readonly items: ThreadItem[] })[] = [];
  let day: Day | undefined;
  let last = -Infinity;
  for (const item of items) {
    const publisher = toItemPublisher(item);
    const at = toItemTime(item);
    const isSameDay = day !== undefined && day.from <= at && at <= day.to;
    if (day === undefined || !isSameDay) day = toDay(at);
    const isFollowUp = isSameDay && at - last <= GROUP_SILENCE_MAX_MS;
    last = at;
    const group = groups.at(-1);
    if (isFollowUp && group?.publisher === publisher) group.items.push(item);
    else groups.push({ key: item.key, publisher, own: item.own, at, day: day.from, items: [item] });
  }
  return groups;
};
