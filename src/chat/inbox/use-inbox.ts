import { useMemo, useState } from 'react';

import { useStore } from '#db/hooks/store-context.ts';
import { useInboxChoice, useNewest, usePinned } from '#db/hooks/use-layout.ts';
import {
  DEFAULT_INBOX,
  type Filter,
  type InboxChoice,
  type Order,
  orderTeams,
  pinFirst,
} from '#domain/rules/inbox.ts';
import { sumByClient, type UnreadByRoom } from '#domain/rules/unread.ts';
import type { Team } from '#domain/schemas/team.ts';
import { useLocalChoices } from '#src/actors/local-choices.ts';
import { usePageFrame } from '#src/ui/page-frame.ts';

import type { Lines } from './use-lines.ts';
import { useSteady } from './use-steady.ts';

const NO_TEAMS: readonly Team[] = [];

/** The filter as chosen in this tab, at first the last one of this device; the order of all. */
const useChosen = (): readonly [
  choice: InboxChoice | undefined,
  choose: (part: Partial<InboxChoice>) => void,
] => {
  const { saveInbox } = useLocalChoices();
  const kept = useInboxChoice();
  const [filter, setFilter] = useState(kept?.filter);
  if (kept && !filter) setFilter(kept.filter);
  // Applies immediately, whether or not it can be stored, until another order is stored.
  const [chosen, setChosen] = useState<{
    readonly order: Order;
    readonly over: Order | undefined;
  }>();
  if (chosen && chosen.over !== kept?.order) setChosen(undefined);
  const choose = (part: Partial<InboxChoice>): void => {
    if (part.filter) setFilter(part.filter);
    if (part.order) setChosen({ order: part.order, over: kept?.order });
    saveInbox(part);
  };
  return [kept && filter && { filter, order: chosen?.order ?? kept.order }, choose];
};

/** The inputs that select the clients shown. */
interface View {
  /** The filter of an open search, which covers all clients. */
  readonly find: ((teams: readonly Team[]) => readonly Team[]) | undefined;
  /** Without space for the filters all clients are shown. */
  readonly filtered: boolean;
  /** Stays while it is open, even if the filter no longer selects it. */
  readonly openId: string | undefined;
}

/** The open client, which a filter selected last at this place. */
interface Kept {
  readonly filter: Filter;
  readonly kept: string | undefined;
  readonly at: number;
}

/** The clients of a user, filtered and ordered; `shown` is undefined while the order is unknown. */
export const useInbox = (
  teams: readonly Team[] | undefined,
  unread: UnreadByRoom,
  lines: Lines,
  { find, filtered, openId }: View,
) => {
  const hasStore = useStore() !== undefined;
  const [choice, choose] = useChosen();
  const first = useNewest();
  // Missed messages arrive in many steps: rows must not move under the user's finger at each of
  // them. Neither may search results: Enter opens the first one.
  const isSteady = usePageFrame().caughtUp && find === undefined;
  const newest = useSteady(lines.newest ?? first, isSteady);
  const pinned = usePinned();
  const { filter, order } = choice ?? DEFAULT_INBOX;
  const isKnown = newest !== undefined && choice !== undefined && pinned !== undefined;
  const all = teams ?? NO_TEAMS;
  const ordered = useMemo(
    () => (newest === undefined ? all : orderTeams(all, order, newest)),
    [all, order, newest],
  );
  const counts = useMemo(() => sumByClient(unread), [unread]);
  const isNarrowed = filtered && filter !== 'all';
  const listed = useMemo(() => {
    if (!isNarrowed) return ordered;
    if (filter !== 'unread') return lines.list(filter, ordered);
    return ordered.filter(({ client_id }) => counts.has(client_id));
  }, [ordered, isNarrowed, filter, lines, counts]);
  const [last, setLast] = useState<Kept>({ filter, kept: undefined, at: 0 });
  const place = isNarrowed ? listed?.findIndex(({ client_id }) => client_id === openId) : undefined;
  const isSelected = place !== undefined && place >= 0;
  const stays = isSelected || (last.filter === filter && last.kept === openId);
  const kept = stays ? openId : undefined;
  const at = isSelected ? place : last.at;
  if (last.filter !== filter || last.kept !== kept || last.at !== at) setLast({ filter, kept, at });
  const found = useMemo(() => {
    if (find !== undefined) return find(ordered);
    const open = ordered.find(({ client_id }) => client_id === kept);
    return open === undefined || listed?.includes(open) ? listed : listed?.toSpliced(at, 0, open);
  }, [find, ordered, listed, kept, at]);
  const shown = useMemo(
    // Search results keep their order; before anything is typed, all clients are shown, pinned
    // first.
    () => (pinned && found && (!find || found === ordered) ? pinFirst(found, pinned) : found),
    [found, find, ordered, pinned],
  );
  return {
    choice: { filter, order },
    choose,
    shown: isKnown || !hasStore ? shown : undefined,
    /** Clients with unread messages. */
    unreadClients: all.filter(({ client_id }) => counts.has(client_id)).length,
  };
};
