import { useMemo } from 'react';

import { useSummaries } from '#db/hooks/use-summaries.ts';
import { useTeams } from '#db/hooks/use-stored.ts';
import { type RoomKey, splitRoomKey } from '#domain/rooms.ts';
import type { RoomSummary } from '#domain/rules/waiting.ts';
import { findReminders } from '#domain/rules/waiting-clients.ts';
import type { Reminder } from '#domain/schemas/marks.ts';
import type { Team } from '#domain/schemas/team.ts';
import { useReminderClock } from '#src/ui/use-now.ts';

/** The user's reminders. */
export interface Reminders {
  /** Those that are due, in the rooms of listed clients. */
  readonly due: ReadonlyMap<RoomKey, Reminder>;
  /** The rooms of those that are due by now; browsers let a hidden page count time late. */
  readonly listByNow: () => readonly RoomKey[];
}

const findDue = (
  summaries: ReadonlyMap<RoomKey, RoomSummary>,
  teams: readonly Team[],
  now: number,
): ReadonlyMap<RoomKey, Reminder> => {
  const listed = new Set(teams.map(({ client_id }) => client_id));
  const { due } = findReminders(summaries, now);
  return new Map([...due].filter(([room]) => listed.has(splitRoomKey(room).clientId)));
};

/** Undefined while loading. */
export const useDueReminders = (): Reminders | undefined => {
  const summaries = useSummaries();
  const teams = useTeams();
  const now = useReminderClock(summaries);
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
