import { useInboxChoice, usePinned } from '#db/hooks/use-layout.ts';
import { useTeams } from '#db/hooks/use-stored.ts';
import { useSummaries } from '#db/hooks/use-summaries.ts';
import { toRoomPath } from '#domain/routes.ts';
import { orderTeams, pinFirst } from '#domain/rules/inbox.ts';
import { findNeighbourRoom, findNextUnread } from '#domain/rules/room-navigation.ts';
import type { UnreadByRoom } from '#domain/rules/unread.ts';
import { listNewest } from '#domain/rules/waiting-clients.ts';
import type { Team } from '#domain/schemas/team.ts';
import { navigate } from '#src/ui/address.tsx';
import { leaveField } from '#src/ui/focus.ts';
import { areRoomKeysHeld, isDialogOpen } from '#src/ui/key-names.ts';
import { useKeyDown } from '#src/ui/hooks/use-key-down.ts';
import { useOpenRoom } from '#src/ui/use-open-room.ts';

const STEPS: Readonly<Record<string, -1 | 1>> = { ArrowUp: -1, ArrowDown: 1 };

const NO_TEAMS: readonly Team[] = [];

/** All clients in the order of the list, whatever its filter and its pauses, when called. */
const useListOrder = (): (() => readonly Team[]) => {
  const teams = useTeams() ?? NO_TEAMS;
  const order = useInboxChoice()?.order ?? 'activity';
  const pinned = usePinned();
  const summaries = useSummaries();
  return () => {
    const ordered = summaries ? orderTeams(teams, order, listNewest(summaries)) : teams;
    return pinned ? pinFirst(ordered, pinned) : ordered;
  };
};

/**
 * Alt (⌘⌥ on a Mac) with an arrow key opens the previous or next room, across all clients as the
 * list orders them; with Shift the next unread one in that direction, from any page, wrapping
 * around.
 */
export const useRoomKeys = (unread: UnreadByRoom): void => {
  const listTeams = useListOrder();
  const room = useOpenRoom();
  useKeyDown((event) => {
    const step = STEPS[event.key];
    if (step === undefined || !areRoomKeysHeld(event) || isDialogOpen()) return;
    if (room === undefined && !event.shiftKey) return;
    event.preventDefault();
    const find = event.shiftKey ? findNextUnread : findNeighbourRoom;
    const next = find(listTeams(), room, step, unread);
    if (next === undefined) return;
    leaveField();
    navigate(toRoomPath(next));
  });
};
