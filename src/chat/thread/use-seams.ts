import { useState } from 'react';

import type { ThreadRow } from '../rows/thread-row.ts';

interface Seams {
  readonly firstKey: string | undefined;
  /** Rows that keep the header they were shown with. */
  readonly keys: ReadonlySet<string>;
  /** The row that was first before the last older ones came in. */
  readonly pinnedKey: string | undefined;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * When older messages come in above, the row that was first may turn out to continue a
 * group. Losing its header at once would move the text under the reader's eyes, so it keeps
 * it until it is out of sight: `settle` asks which rows are still in sight.
 */
export const useSeams = (rows: readonly ThreadRow[]) => {
  const [seams, setSeams] = useState<Seams>({
    firstKey: rows[0]?.key,
    keys: NONE,
    pinnedKey: undefined,
  });
  const firstKey = rows[0]?.key;
  if (firstKey !== seams.firstKey) {
    const { firstKey: before } = seams;
    const isPrepend = before !== undefined && rows.some((row) => row.key === before);
    setSeams(
      isPrepend
        ? { firstKey, keys: new Set([...seams.keys, before]), pinnedKey: before }
        : { firstKey, keys: NONE, pinnedKey: undefined },
    );
  }
  const settle = (isInSight: (key: string) => boolean): void => {
    if (seams.keys.size === 0) return;
    const kept = new Set([...seams.keys].filter(isInSight));
    if (kept.size < seams.keys.size) setSeams({ ...seams, keys: kept });
  };
  return { keys: seams.keys, pinnedKey: seams.pinnedKey, settle };
};
