import type { ThreadRow } from '../rows/thread-row.ts';

/**
 * The row after which others' messages may have arrived. The user's own message may be stored before
 * an earlier one of others arrives: then it is the one before it, unless messages are missing there.
 */
const findLastKnown = (before: readonly ThreadRow[]): ThreadRow | undefined => {
  const last = before.findLast(({ state }) => state === 'sent');
  const others = before.findLast(({ state, own }) => state === 'sent' && !own);
  return others?.gap === '' ? others : last;
};

/**
 * Rows of others that arrived at the end since `before` was shown. Older pages, filled gaps and a
 * first display are not incoming. `whole`: `before` had all messages of the room, so without a log
 * entry the room was empty.
 */
export const toIncoming = (
  before: readonly ThreadRow[],
  now: readonly ThreadRow[],
  whole = false,
): readonly ThreadRow[] => {
  const lastKnown = findLastKnown(before);
  const place = now.findLastIndex((row) => row.key === lastKnown?.key);
  // Without a place, all of them follow an empty room.
  if (place === -1 && (lastKnown !== undefined || !whole)) return [];
  return now.slice(place + 1).filter((row) => !row.own && row.state === 'sent');
};
