import { useTeams } from '#db/hooks/use-stored.ts';
import { toRoomPath } from '#domain/routes.ts';
import { findNeighbourRoom, findNextUnread } from '#domain/rules/room-navigation.ts';
import type { UnreadByRoom } from '#domain/rules/unread.ts';
import { navigate } from '#src/ui/address.tsx';
import { areRoomKeysHeld, isDialogOpen } from '#src/ui/key-names.ts';
import { useKeyDown } from '#src/ui/hooks/use-key-down.ts';
import { useOpenRoom } from '#src/ui/use-open-room.ts';

const STEPS: Readonly<Record<string, -1 | 1>> = { ArrowUp: -1, ArrowDown: 1 };

/**
 * Alt (⌘⌥ on a Mac) with an arrow key opens the previous or next room, across all clients; with
 * Shift the next unread one in that direction, from any page, wrapping around.
 */
export const useRoomKeys = (unread: UnreadByRoom): void => {
  const teams = useTeams();
  const room = useOpenRoom();
  useKeyDown((event) => {
    const step = STEPS[event.key];
    if (step === undefined || !areRoomKeysHeld(event) || isDialogOpen()) return;
    if (room === undefined && !event.shiftKey) return;
    event.preventDefault();
    const find = event.shiftKey ? findNextUnread : findNeighbourRoom;
    const next = find(teams ?? [], room, step, unread);
    if (next !== undefined) navigate(toRoomPath(next));
  });
};
