import { useMemo, useState } from 'react';

import { useMissedCommits } from '#db/hooks/use-missed-commits.ts';
import { useTeams } from '#db/hooks/use-teams.ts';
import { useUnread } from '#db/hooks/use-unread.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { sumByClient, type UnreadByRoom } from '#domain/rules/unread.ts';
import type { Team } from '#domain/schemas/team.ts';
import type { PageFrame } from '#src/ui/page-frame.ts';
import { useUnreadTitle } from '#src/ui/page-title.ts';

import { useCaughtUp } from './use-caught-up.ts';

const NOTHING: UnreadByRoom = new Map();

const without = (unread: UnreadByRoom, attended: RoomKey | undefined): UnreadByRoom => {
  if (attended === undefined || !unread.has(attended)) return unread;
  return new Map([...unread].filter(([room]) => room !== attended));
};

/** A client who was removed from the list has no room where messages could be read. */
const sumListed = (teams: readonly Team[], unread: UnreadByRoom): number => {
  const counts = sumByClient(unread);
  return teams.reduce((sum, { client_id }) => sum + (counts.get(client_id) ?? 0), 0);
};

/** Unread messages for the pages in the frame; the browser's tab shows the total. */
export const useUnreadFrame = (): Omit<PageFrame, 'bar' | 'phone'> => {
  useMissedCommits();
  const known = useUnread();
  const unread = known ?? NOTHING;
  const caughtUp = useCaughtUp() && known !== undefined;
  const teams = useTeams();
  const [attended, onAttended] = useState<RoomKey | undefined>();
  const shownUnread = useMemo(() => without(unread, attended), [unread, attended]);
  useUnreadTitle(useMemo(() => sumListed(teams ?? [], shownUnread), [teams, shownUnread]));
  return { unread, shownUnread, caughtUp, onAttended };
};
