import { useMemo } from 'react';

import { useSummaries } from '#db/hooks/use-summaries.ts';
import { useTeams } from '#db/hooks/use-teams.ts';
import { type RoomKey, splitRoomKey } from '#domain/rooms.ts';
import { findReminders } from '#domain/rules/waiting-clients.ts';
import type { Timetoken } from '#domain/timetoken.ts';
import { useNow } from '#src/ui/use-now.ts';

/** A reminder appears at most this long after its time, ms. */
const LATENESS_MS = 10_000;

/**
 * The user's reminders that are due, in the rooms of listed clients, with their due times;
 * undefined while loading.
 */
export const useDueReminders = (): ReadonlyMap<RoomKey, Timetoken> | undefined => {
  const summaries = useSummaries();
  const teams = useTeams();
  const hasReminders = useMemo(
    () => summaries && [...summaries.values()].some(({ reminder }) => reminder !== undefined),
    [summaries],
  );
  const now = useNow(hasReminders === true ? LATENESS_MS : undefined);
  return useMemo(() => {
    if (summaries === undefined || teams === undefined) return undefined;
    const listed = new Set(teams.map(({ client_id }) => client_id));
    const { due } = findReminders(summaries, now);
    return new Map([...due].filter(([room]) => listed.has(splitRoomKey(room).clientId)));
  }, [summaries, teams, now]);
};
