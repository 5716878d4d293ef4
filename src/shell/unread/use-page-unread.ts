import { useCallback, useMemo, useState } from 'react';

import { useMissedCommits } from '#db/hooks/use-missed-commits.ts';
import { useTeams } from '#db/hooks/use-stored.ts';
import { useUnread } from '#db/hooks/use-unread.ts';
import { isSameByRoom, type RoomKey } from '#domain/rooms.ts';
import {
  type ReadHere,
  sumByClient,
  type UnreadByRoom,
  withoutRead,
} from '#domain/rules/unread.ts';
import type { Team } from '#domain/schemas/team.ts';
import type { PageFrame } from '#src/ui/page-frame.ts';
import { useUnreadTitle } from '#src/ui/page-title.ts';

import { useCaughtUp } from './use-caught-up.ts';

const NOTHING: UnreadByRoom = new Map();

const withoutRoom = <T>(
  rooms: ReadonlyMap<RoomKey, T>,
  without: RoomKey | undefined,
): ReadonlyMap<RoomKey, T> => new Map([...rooms].filter(([room]) => room !== without));

/** Returns the last result again if nothing in it changed. */
const createWithout = () => {
  let last = NOTHING;
  return (unread: UnreadByRoom, attended: RoomKey | undefined): UnreadByRoom => {
    const next = withoutRoom(unread, attended);
    return (last = isSameByRoom(last, next) ? last : next);
  };
};

/** A client who was removed from the list has no room where messages could be read. */
const sumListed = (teams: readonly Team[], unread: UnreadByRoom): number => {
  const counts = sumByClient(unread);
  return teams.reduce((sum, { client_id }) => sum + (counts.get(client_id) ?? 0), 0);
};

type Positions = ReadonlyMap<RoomKey, ReadHere>;

/**
 * Messages read here count as read at once, although the store answers later; no longer if that
 * cannot be stored.
 */
const useReadHere = (known: UnreadByRoom | undefined) => {
  const [positions, setPositions] = useState<Positions>(() => new Map());
  const onRead = useCallback<PageFrame['onRead']>((room, read, stored) => {
    setPositions((before) => new Map(before).set(room, read));
    void stored.then((isStored) => {
      if (!isStored) setPositions((before) => withoutRoom(before, room));
    });
  }, []);
  const unread = useMemo(() => withoutRead(known ?? NOTHING, positions), [known, positions]);
  return { unread, onRead };
};

/** Unread messages for the pages in the frame; the browser's tab shows the total. */
export const usePageUnread = (phone: boolean, bar: HTMLElement | null) => {
  useMissedCommits();
  const known = useUnread();
  const { unread, onRead } = useReadHere(known);
  const isCounted = known !== undefined;
  const caughtUp = useCaughtUp() && isCounted;
  const teams = useTeams();
  const [attended, onAttended] = useState<RoomKey | undefined>();
  const [toShown] = useState(createWithout);
  const shownUnread = useMemo(() => toShown(unread, attended), [toShown, unread, attended]);
  const total = useMemo(() => sumListed(teams ?? [], shownUnread), [teams, shownUnread]);
  useUnreadTitle(total);
  const frame = useMemo<PageFrame>(
    () => ({ phone, bar, isCounted, shownUnread, total, caughtUp, onAttended, onRead }),
    [phone, bar, isCounted, shownUnread, total, caughtUp, onAttended, onRead],
  );
  return { frame, unread };
};
