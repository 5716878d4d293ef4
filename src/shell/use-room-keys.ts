import { useEffect } from 'react';
import { useMatch, useNavigate } from 'react-router';

import { useTeams } from '#db/hooks/use-teams.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { parseChatPlace, toRoomPath } from '#domain/routes.ts';
import { findNeighbourRoom } from '#domain/rules/places.ts';

const STEPS: Readonly<Record<string, -1 | 1>> = { ArrowUp: -1, ArrowDown: 1 };

/** Alt with an arrow key goes to the room before or after the open one, over all clients. */
export const useRoomKeys = (): void => {
  const teams = useTeams();
  const navigate = useNavigate();
  const match = useMatch('/chat/:clientId/:roomId');
  const place = parseChatPlace(match?.params.clientId, match?.params.roomId);
  const room = place.kind === 'room' ? toRoomKey(place.clientId, place.roomId) : undefined;
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
