import type { ThreadRow } from '../rows/thread-row.ts';

/**
 * Rows of others that arrived at the end since `before` was shown: after the last log entry known
 * then. Older pages, filled gaps and a first display are not incoming.
 */
export const toIncoming = (
  before: readonly ThreadRow[],
  now: readonly ThreadRow[],
): readonly ThreadRow[] => {
  const lastKnown = before.findLast((row) => row.state === 'sent');
  if (lastKnown === undefined) return [];
  const place = now.findLastIndex((row) => row.key === lastKnown.key);
  if (place === -1) return [];
  return now.slice(place + 1).filter((row) => !row.own && row.state === 'sent');
};
