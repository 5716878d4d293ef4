import { startOfDay } from 'date-fns/startOfDay';

import type { ThreadItem } from '../project/rows.ts';
import { toEpochMs } from '../timetoken.ts';

/** Messages of one publisher in succession on one day: they share a header (spec §4). */
export interface MessageGroup {
  /** Key of the first message. */
  readonly key: string;
  readonly publisher: string;
  readonly own: boolean;
  /** When the first message was written, ms since the epoch. */
  readonly at: number;
  readonly items: readonly ThreadItem[];
}

/** The engine's timetoken for what it has, the time of acceptance for what it has not. */
export const toItemTime = (item: ThreadItem): number =>
  item.source === 'log' ? toEpochMs(item.row.timetoken) : item.item.at;

export const toItemPublisher = (item: ThreadItem): string =>
  item.source === 'log' ? item.row.publisher : item.item.uid;

const DAY_MS = 86_400_000;

/** Local days; two times less than a day apart may still be on two of them. */
const isSameDay = (a: number, b: number): boolean =>
  Math.abs(a - b) < DAY_MS * 2 && startOfDay(a).getTime() === startOfDay(b).getTime();

/**
 * Splits a thread into groups, in order; joining their items gives back the thread.
 * A new publisher or a new day (in local time) starts a new group.
 */
export const groupThread = (items: readonly ThreadItem[]): readonly MessageGroup[] => {
  const groups: (MessageGroup & { readonly items: ThreadItem[] })[] = [];
  let last: { readonly publisher: string; readonly at: number } | undefined;
  for (const item of items) {
    const publisher = toItemPublisher(item);
    const at = toItemTime(item);
    const continues = last?.publisher === publisher && isSameDay(last.at, at);
    if (continues) groups.at(-1)?.items.push(item);
    else groups.push({ key: item.key, publisher, own: item.own, at, items: [item] });
    last = { publisher, at };
  }
  return groups;
};
