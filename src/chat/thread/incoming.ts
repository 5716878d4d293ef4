import type { ThreadRow } from '../rows/thread-row.ts';

/**
 * Rows of others that arrived at the end since `before` was shown. Older pages, filled gaps and a
 * first display are not incoming. `whole`: `before` had all messages of the room, so without a log
 * entry the room was empty.
 */
export const toIncoming = (
  before: readonly ThreadRow[],
  now: readonly ThreadRow[],
  whole?: boolean,
): readonly ThreadRow[] => {
  // The user's own may be stored before an earlier one of others arrives, unless something was
  // missing above it.
  const lastKnown = before.findLast(
    (row, index) => row.state === 'sent' && (!row.own || before[index - 1]?.gap !== ''),
  );
  const place = now.findLastIndex((row) => row.key === lastKnown?.key);
  // Without a place, all of them follow an empty room.
  if (place < 0 && (lastKnown || !whole)) return [];
  return now.slice(place + 1).filter((row) => !row.own && row.state === 'sent');
};
