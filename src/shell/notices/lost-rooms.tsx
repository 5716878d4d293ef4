import { useEffect, useEffectEvent, useState } from 'react';

import { useProducers, useTeams } from '#db/hooks/use-stored.ts';
import { useSummaries } from '#db/hooks/use-summaries.ts';
import { type RoomKey, splitRoomKey } from '#domain/rooms.ts';
import { toRoomPath } from '#domain/routes.ts';
import { toRoomName } from '#domain/room-name.ts';
import { type RoomSummary, toAssigneeName } from '#domain/rules/waiting.ts';
import { toFullName } from '#domain/schemas/team.ts';
import { useSession } from '#src/actors/actors.ts';
import { navigate } from '#src/ui/address.tsx';
import { assignedHere } from '#src/ui/page-frame.ts';
import { showToast } from '#src/ui/toasts/toast-store.ts';

import { useIsVisible } from './use-is-visible.ts';

/** Follows which rooms of a user a colleague has taken over; the caller removes those it shows. */
const createFollower = () => {
  let mine: ReadonlySet<RoomKey> | undefined;
  const lost = new Map<RoomKey, string>();
  return (summaries: ReadonlyMap<RoomKey, RoomSummary>, uid: string): Map<RoomKey, string> => {
    const before = mine;
    mine = new Set(
      [...summaries].flatMap(([room, { assignee }]) => (assignee === uid ? room : [])),
    );
    for (const [room, { assignee }] of summaries) {
      if (assignee === undefined || assignee === uid) lost.delete(room);
      else if (lost.has(room) || before?.has(room) === true) lost.set(room, assignee);
    }
    return lost;
  };
};

/**
 * Announces rooms of the user that a colleague takes over while the page is open, once it is
 * visible. An Undo in this tab that gives a room back is not announced.
 */
export const LostRooms = ({ caughtUp }: { readonly caughtUp: boolean }) => {
  const summaries = useSummaries();
  const teams = useTeams();
  const staff = useProducers();
  const uid = useSession().user?.uid;
  const visible = useIsVisible();
  const [follow] = useState(createFollower);
  const announce = useEffectEvent((room: RoomKey, assignee: string): void => {
    const { clientId } = splitRoomKey(room);
    const team = teams?.find(({ client_id }) => client_id === clientId);
    // A client who was removed has no rooms.
    if (team === undefined) return;
    const text = `${toAssigneeName(assignee, staff)} took over ${toRoomName(room, toFullName(team))}.`;
    showToast('notice', text, { label: 'Open', run: () => navigate(toRoomPath(room)) });
  });
  // Until then, changes from before the page was opened arrive.
  const isReady = caughtUp && teams !== undefined;
  useEffect(() => {
    if (!isReady || summaries === undefined || uid === undefined) return;
    const lost = follow(summaries, uid);
    if (!visible) return;
    for (const [room, assignee] of lost) {
      if (assignedHere.get(room) !== assignee) announce(room, assignee);
      assignedHere.delete(room);
    }
    lost.clear();
  }, [follow, isReady, summaries, uid, visible]);
  useEffect(() => () => assignedHere.clear(), []);
  return null;
};
