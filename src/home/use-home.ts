import { useCallback, useContext, useMemo, useState } from 'react';

import { useTeams } from '#db/hooks/use-stored.ts';
import { useVisited } from '#db/hooks/use-visited.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { findReminders } from '#domain/rules/waiting-clients.ts';
import type { RoomSummary } from '#domain/rules/waiting.ts';
import { toReminderValue } from '#domain/schemas/marks.ts';
import type { Team } from '#domain/schemas/team.ts';
import { useInboxData } from '#src/chat/inbox/use-inbox-data.ts';
import { useSteady } from '#src/chat/inbox/use-steady.ts';
import { readExtent } from '#src/ui/restore-position.ts';
import { UnreadContext, usePageFrame } from '#src/ui/page-frame.ts';
import { useReminderClock } from '#src/ui/use-now.ts';
import { useLasting } from '#src/ui/hooks/use-lasting.ts';

import { type Pinned, type Section, type SectionName, withPinned } from './sections.ts';
import { type HandledRooms, toSections } from './to-sections.ts';

const NOT_VISITED: readonly RoomKey[] = [];
const NONE_HANDLED: HandledRooms = new Map();

/** Longest wait for unread counts, ms: without their chunk nothing counts as unread. */
const COUNT_WAIT_MS = 3000;

const toIndex = (teams: readonly Team[] | undefined): ReadonlyMap<string, Team> =>
  new Map((teams ?? []).map((team) => [team.client_id, team]));

const isSame = (one: RoomSummary, other: RoomSummary | undefined): boolean =>
  one.newest === other?.newest &&
  one.waitingSince === other.waitingSince &&
  toReminderValue(one.reminder) === toReminderValue(other.reminder);

/**
 * The rooms that leave the list before the store has changed: until the summary of the room
 * changes. A room whose answer was refused appears again at once.
 */
const useHandled = (
  refused: ReadonlySet<RoomKey>,
  summaries: ReadonlyMap<RoomKey, RoomSummary> | undefined,
) => {
  const [handled, setHandled] = useState(NONE_HANDLED);
  const kept = [...handled].filter(
    ([room, summary]) => !refused.has(room) && isSame(summary, summaries?.get(room)),
  );
  if (kept.length < handled.size) setHandled(new Map(kept));
  return [handled, setHandled] as const;
};

export interface Home {
  readonly pinned: Pinned | undefined;
  /** Undefined until their data has been read. */
  readonly sections: readonly Section[] | undefined;
  readonly expanded: ReadonlySet<SectionName>;
  readonly toggle: (name: SectionName) => void;
  /** No room of any client has anything to do for the user. */
  readonly isQuiet: boolean;
  /** The summary of a room if the user has a reminder of it that is due now. */
  readonly findDue: (room: RoomKey) => RoomSummary | undefined;
  /** Reports that the room was answered here, or needs no answer now: it leaves. */
  readonly onHandled: (room: RoomKey, how?: { readonly isAnswered: boolean }) => void;
  /** Reports that the user undid that. */
  readonly onReopened: (room: RoomKey) => void;
}

/** Everything that Home shows. The draft of the pinned entry is in its reply field. */
export const useHome = (pinned: Pinned | undefined): Home => {
  const teams = useTeams();
  const { isCounted, caughtUp } = usePageFrame();
  const unread = useContext(UnreadContext);
  const isLate = useLasting(true, COUNT_WAIT_MS);
  const visited = useVisited() ?? NOT_VISITED;
  const data = useInboxData(pinned?.entry.room);
  const { summaries, user, staff, items, isOnline, drafts } = data;
  const now = Math.max(data.now, useReminderClock(summaries));
  const [expanded, setExpanded] = useState<ReadonlySet<SectionName>>(
    () => (readExtent(user?.uid) as ReadonlySet<SectionName> | undefined) ?? new Set(),
  );
  const refused = useMemo(
    () => new Set(items.filter(({ state }) => state === 'failed').map(({ room }) => room)),
    [items],
  );
  const isKnown = summaries !== undefined && (isCounted || isLate);
  const current = useMemo(
    () => (isKnown ? { summaries, unread } : undefined),
    [isKnown, summaries, unread],
  );
  // Missed messages arrive in many steps: entries must not move under the user's finger at each of
  // them.
  const isFirst = summaries?.size === 0;
  const steady = useSteady(isFirst && !caughtUp ? undefined : current, caughtUp);
  const [handled, setHandled] = useHandled(refused, steady?.summaries);
  const index = useMemo(() => toIndex(teams), [teams]);
  const composed = useMemo(
    () =>
      steady &&
      toSections({
        ...steady,
        teams: index,
        user,
        staff,
        items,
        isOnline,
        drafts,
        now,
        visited,
        handled,
        expanded,
      }),
    [steady, index, user, staff, items, isOnline, drafts, now, visited, handled, expanded],
  );
  const toggle = useCallback((name: SectionName): void => {
    setExpanded((before) => {
      const next = new Set(before);
      if (!next.delete(name)) next.add(name);
      return next;
    });
  }, []);
  const findDue: Home['findDue'] = (room) =>
    summaries && findReminders(summaries, now).due.has(room) ? summaries.get(room) : undefined;
  const onHandled: Home['onHandled'] = (room, how = { isAnswered: false }) => {
    const summary = steady?.summaries.get(room);
    if (summary === undefined) return;
    setHandled((before) => new Map(before).set(room, { ...summary, ...how }));
  };
  const onReopened = (room: RoomKey): void => {
    setHandled((before) => new Map([...before].filter(([other]) => other !== room)));
  };
  const sections = teams && composed && withPinned(composed, pinned);
  const isQuiet =
    sections?.every(({ name, entries }) => name === 'recent' || entries[0]?.isLater) === true;
  return {
    pinned,
    sections,
    expanded,
    toggle,
    isQuiet,
    findDue,
    onHandled,
    onReopened,
  };
};
