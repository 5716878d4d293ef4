import { useState } from 'react';

import type { ThreadRow } from '../rows/thread-row.ts';

interface StickyHeaders {
  readonly firstKey: string | undefined;
  /** Rows that keep the header they were first shown with. */
  readonly keys: ReadonlySet<string>;
  /** The row that was first before the last older ones were added. */
  readonly anchorKey: string | undefined;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * When older messages are added above, the former first row may turn out to continue a group.
 * Losing its header at once would move the text while the user reads, so it keeps the header until
 * it is no longer visible: `releaseHidden` checks which rows still are.
 */
export const useStickyHeaders = (rows: readonly ThreadRow[]) => {
  const [sticky, setSticky] = useState<StickyHeaders>({
    firstKey: rows[0]?.key,
    keys: NONE,
    anchorKey: undefined,
  });
  const firstKey = rows[0]?.key;
  if (firstKey !== sticky.firstKey) {
    const { firstKey: before } = sticky;
    const isPrepend = before !== undefined && rows.some((row) => row.key === before);
    setSticky(
      isPrepend
        ? { firstKey, keys: new Set([...sticky.keys, before]), anchorKey: before }
        : { firstKey, keys: NONE, anchorKey: undefined },
    );
  }
  const releaseHidden = (isVisible: (key: string) => boolean): void => {
    const kept = new Set([...sticky.keys].filter(isVisible));
    if (kept.size < sticky.keys.size) setSticky({ ...sticky, keys: kept });
  };
  return { ...sticky, releaseHidden };
};
