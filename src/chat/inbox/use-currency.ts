import { useMemo } from 'react';

import { useSpace } from '#db/hooks/use-stored.ts';
import { useKnownRooms } from '#db/hooks/use-summaries.ts';
import { ROOM_IDS, toRoomKey } from '#domain/rooms.ts';
import type { Team } from '#domain/schemas/team.ts';
import { type ConnectionView, useConnection, useSteadyKind } from '#src/actors/desk.ts';
import { usePageFrame } from '#src/ui/page-frame.ts';

/** How recent and how complete the messages on this device are. */
export interface Currency {
  readonly kind: ConnectionView['kind'];
  /** All missed messages have arrived. */
  readonly caughtUp: boolean;
  readonly isFull: boolean;
  /** Rooms in all, and those without any message page on this device; undefined while loading. */
  readonly rooms: number;
  readonly missing: number | undefined;
}

/** Whether this device has messages of every room, up to now. */
export const isCurrent = ({ kind, caughtUp, isFull, missing }: Currency): boolean =>
  (kind === 'online' || kind === 'blocked') && caughtUp && !isFull && missing === 0;

export const useCurrency = (teams: readonly Team[] | undefined): Currency => {
  const { kind: now, isIncomplete } = useConnection();
  const kind = useSteadyKind(now);
  const caughtUp = usePageFrame().caughtUp && !isIncomplete;
  const { isFull } = useSpace();
  const known = useKnownRooms();
  const missing = useMemo(() => {
    if (known === undefined || teams === undefined) return undefined;
    const isMissing = (team: Team): number =>
      ROOM_IDS.filter((id) => !known.has(toRoomKey(team.client_id, id))).length;
    return teams.reduce((sum, team) => sum + isMissing(team), 0);
  }, [known, teams]);
  const rooms = (teams?.length ?? 0) * ROOM_IDS.length;
  return { kind, caughtUp, isFull, rooms, missing };
};
