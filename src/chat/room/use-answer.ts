import { useEffect, useRef } from 'react';

import { useSummaries } from '#db/hooks/use-summaries.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { toEpochMs } from '#domain/timetoken.ts';

import { useFollowUp } from '../follow-up/use-follow-up.ts';
import type { ThreadRow } from '../rows/thread-row.ts';

/**
 * Whether rows that were not among `before` contain a message that the user wrote at `since` or
 * later: earlier ones may arrive late.
 */
const hasAnswer = (
  before: readonly ThreadRow[],
  rows: readonly ThreadRow[],
  since: number,
): boolean => {
  const known = new Set(before.map(({ key }) => key));
  return rows.some(({ key, own, iso }) => own && !known.has(key) && Date.parse(iso) >= since);
};

/** Removes a reminder that is due once the user answers in the open room, as a reply on Home does. */
export const useAnswer = (room: RoomKey, rows: readonly ThreadRow[]): void => {
  const summary = useSummaries()?.get(room);
  const { endReminder } = useFollowUp();
  const seen = useRef(rows);
  useEffect(() => {
    if (summary === undefined) return;
    const due = summary.reminder?.due;
    const isAnswered = due !== undefined && hasAnswer(seen.current, rows, toEpochMs(due));
    seen.current = rows;
    if (isAnswered) endReminder(summary);
  }, [summary, rows, endReminder]);
};
