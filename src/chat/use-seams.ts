import { useState } from 'react';

import type { ThreadRow } from './thread-row.ts';

interface Seams {
  readonly firstKey: string | undefined;
  /** Rows that keep the header they were shown with. */
  readonly keys: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * When older messages come in above, the row that was first may turn out to continue a
 * group. Losing its header at once would move the text under the reader's eyes, so it keeps
 * it until it is out of sight: `settle` is told the keys of the rows in sight.
 */
export const useSeams = (rows: readonly ThreadRow[]) => {
  const [seams, setSeams] = useState<Seams>({ firstKey: rows[0]?.key, keys: NONE });
  const firstKey = rows[0]?.key;
  if (firstKey !== seams.firstKey) {
    const { firstKey: before } = seams;
    const isPrepend = before !== undefined && rows.some((row) => row.key === before);
    setSeams({ firstKey, keys: isPrepend ? new Set([...seams.keys, before]) : NONE });
  }
  const settle = (inSight: ReadonlySet<string>): void => {
    const kept = new Set([...seams.keys].filter((key) => inSight.has(key)));
    if (kept.size < seams.keys.size) setSeams({ ...seams, keys: kept });
  };
  return { keys: seams.keys, settle };
};
