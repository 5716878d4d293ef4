import { useMemo } from 'react';

import { useSummaries } from '#db/hooks/use-summaries.ts';
import { useTeams } from '#db/hooks/use-teams.ts';
import { type RoomKey, splitRoomKey } from '#domain/rooms.ts';
import type { RoomSummary } from '#domain/rules/waiting.ts';
import { findReminders } from '#domain/rules/waiting-clients.ts';
import type { Team } from '#domain/schemas/team.ts';
import type { Timetoken } from '#domain/timetoken.ts';
import { useNow } from '#src/ui/use-now.ts';

/** A reminder appears at most this long after its time, ms; later in a page that is not visible. */
const LATENESS_MS = 10_000;

/** The user's reminders. */
export interface Reminders {
  /** Those that are due, in the rooms of listed clients, with their due times. */
  readonly due: ReadonlyMap<RoomKey, Timetoken>;
  /** The rooms of those that are due by now; browsers let a hidden page count time late. */
  readonly listByNow: () => readonly RoomKey[];
}

const findDue = (
  summaries: ReadonlyMap<RoomKey, RoomSummary>,
  teams: readonly Team[],
  now: number,
): ReadonlyMap<RoomKey, Timetoken> => {
  const listed = new Set(teams.map(({ client_id }) => client_id));
  const { due } = findReminders(summaries, now);
  return new Map([...due].filter(([room]) => listed.has(splitRoomKey(room).clientId)));
};

/** Undefined while loading. */
export const useDueReminders = (): Reminders | undefined => {
  const summaries = useSummaries();
  const teams = useTeams();
  const hasReminders = useMemo(
    () => summaries && [...summaries.values()].some(({ reminder }) => reminder !== undefined),
    [summaries],
  );
  const now = useNow(hasReminders === true ? LATENESS_MS : undefined);
  return useMemo(
    () =>
      summaries &&
      teams && {
        due: findDue(summaries, teams, now),
        listByNow: () => [...findDue(summaries, teams, Date.now()).keys()],
      },
    [summaries, teams, now],
  );
};
