import { useEffect } from 'react';
import { useMatch, useNavigate } from 'react-router';

import { useTeams } from '#db/hooks/use-teams.ts';
import { type RoomKey, toRoomKey } from '#domain/rooms.ts';
import { parseChatPlace, toRoomPath } from '#domain/routes.ts';
import { findNeighbourRoom } from '#domain/rules/places.ts';
import type { UnreadByRoom } from '#domain/rules/unread.ts';

import { isDialogOpen } from './use-shortcut.ts';

const STEPS: Readonly<Record<string, -1 | 1>> = { ArrowUp: -1, ArrowDown: 1 };

/**
 * Alt with an arrow key goes to the room before or after the open one, over all clients; with
 * Shift to the next one with something unread.
 */
export const useRoomKeys = (unread: UnreadByRoom): void => {
  const teams = useTeams();
  const navigate = useNavigate();
  const match = useMatch('/chat/:clientId/:roomId');
  const place = parseChatPlace(match?.params.clientId, match?.params.roomId);
  const room = place.kind === 'room' ? toRoomKey(place.clientId, place.roomId) : undefined;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const step = STEPS[event.key];
      const isPlain = !event.ctrlKey && !event.metaKey;
      if (step === undefined || !event.altKey || !isPlain || room === undefined) return;
      if (isDialogOpen()) return;
      event.preventDefault();
      const isWanted = (other: RoomKey): boolean => !event.shiftKey || unread.has(other);
      const next = findNeighbourRoom(teams ?? [], room, step, isWanted);
      if (next !== undefined) void navigate(toRoomPath(next));
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [teams, room, unread, navigate]);
};
