import type { ThreadRow } from '../rows/thread-row.ts';

/**
 * Rows of others that arrived at the end since `before` was shown: after the last log entry known
 * then. Older pages, filled gaps and a first display are not incoming. `whole`: `before` had all
 * messages of the room, so without a log entry the room was empty.
 */
export const toIncoming = (
  before: readonly ThreadRow[],
  now: readonly ThreadRow[],
  whole = false,
): readonly ThreadRow[] => {
  const lastKnown = before.findLast((row) => row.state === 'sent');
  const place = now.findLastIndex((row) => row.key === lastKnown?.key);
  // Without a place, all of them follow an empty room.
  if (place === -1 && (lastKnown !== undefined || !whole)) return [];
  return now.slice(place + 1).filter((row) => !row.own && row.state === 'sent');
};
