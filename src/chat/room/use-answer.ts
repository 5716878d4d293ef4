import { useEffect, useRef } from 'react';

import { useSummaries } from '#db/hooks/use-summaries.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { toEpochMs } from '#domain/timetoken.ts';

import { useFollowUp } from '../follow-up/use-follow-up.ts';
import type { ThreadRow } from '../rows/thread-row.ts';

/**
 * Whether rows that were not among `before` contain a message that the user wrote on this device,
 * at `since` or later. One from another device may arrive before the later reminder that the user
 * set there; that device removes what it answers.
 */
const hasAnswer = (
  before: readonly ThreadRow[],
  rows: readonly ThreadRow[],
  since: number,
): boolean => {
  const known = new Set(before.map(({ key }) => key));
  // It has no position until the engine has it.
  const isWritten = ({ own, at }: ThreadRow): boolean => own && at === '';
  return rows.some((row) => isWritten(row) && !known.has(row.key) && Date.parse(row.iso) >= since);
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
