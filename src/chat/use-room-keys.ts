import { useEffect } from 'react';
import { useNavigate } from 'react-router';

import { toRoomPath } from '#domain/routes.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { findNeighbourRoom } from '#domain/rules/places.ts';
import type { Team } from '#domain/schemas/team.ts';

const STEPS: Readonly<Record<string, -1 | 1>> = { ArrowUp: -1, ArrowDown: 1 };

/** Alt with an arrow key goes to the room before or after the open one, over all clients. */
export const useRoomKeys = (
  teams: readonly Team[] | undefined,
  room: RoomKey | undefined,
): void => {
  const navigate = useNavigate();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const step = STEPS[event.key];
      const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey;
      if (step === undefined || !event.altKey || !isPlain || room === undefined) return;
      event.preventDefault();
      const next = findNeighbourRoom(teams ?? [], room, step);
      if (next !== undefined) void navigate(toRoomPath(next));
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [teams, room, navigate]);
};
