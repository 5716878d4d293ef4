import { type ComponentType, useEffect, useEffectEvent } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '@mantine/core';
import { IconMapQuestion, IconMessages, IconPlugConnectedX } from '@tabler/icons-react';

import { useTeams } from '#db/hooks/use-stored.ts';
import { TEXTS } from '#domain/errors.ts';
import { ROUTES, toClientPath } from '#domain/routes.ts';
import { type Team, toFullName } from '#domain/schemas/team.ts';
import { useTeamsStatus } from '#src/actors/desk.ts';
import { Link, useChatIds } from '#src/ui/address.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { focusThread, passFocus } from '#src/ui/focus.ts';
import { usePageTitle } from '#src/ui/page-title.ts';
import { withMantine } from '#src/ui/mantine/with-mantine.tsx';
import { Spinner } from '#src/ui/waiting.tsx';

import type { SearchPanel } from '../clients/use-search-panel.ts';
import { BarTitle } from './bar-title.tsx';
import type { ChatView } from './chat-view.ts';
import classes from './no-room-pane.module.css';

/** What the pane shows without a room. */
type NoRoom = Exclude<ChatView['kind'], 'waiting' | 'room'>;

type Kind = Exclude<NoRoom, 'choose-room'>;

interface Notice {
  readonly icon: ComponentType<{ readonly size: number; readonly stroke: number }>;
  readonly title: string;
  readonly text: string;
  /** The suggested action, if there is one. */
  readonly action?: 'find' | 'clients' | 'rooms' | 'retry';
}

const NOTICES: Readonly<Record<Kind, Notice>> = {
  'choose-client': {
    icon: IconMessages,
    title: 'Choose a client',
    text: 'Each client has three rooms: Team, General and Producers.',
    action: 'find',
  },
  'unknown-client': {
    icon: IconMapQuestion,
    title: 'Client not found',
    text: 'There is no client at this address. Choose one from the list.',
    action: 'clients',
  },
  'unknown-room': {
    icon: IconMapQuestion,
    title: 'Room not found',
    text: 'There is no room at this address. Choose Team, General or Producers.',
    action: 'rooms',
  },
  unreachable: {
    icon: IconPlugConnectedX,
    title: TEXTS.clientsFailed,
    text: 'Rooms open once your clients have loaded. Check your connection, then try again.',
    action: 'retry',
  },
};

const NO_CLIENTS: Notice = {
  icon: IconMessages,
  title: 'You have no clients yet.',
  text: 'Your clients and their rooms appear here.',
};

/** Ends a search, and chooses the first filter, All. A list without filters shows all clients. */
const showAll = (endSearch: () => void): void => {
  flushSync(endSearch);
  document.querySelector<HTMLElement>('input[name="client-filter"]')?.click();
};

const WayOut = ({
  action,
  team,
  search,
}: {
  readonly action: NonNullable<Notice['action']>;
  readonly team: Team | undefined;
  readonly search: Pick<SearchPanel, 'start' | 'close'>;
}) => {
  const status = useTeamsStatus();
  if (action === 'find') {
    const find = (): void => {
      search.start();
      // A field that appears now takes the focus by itself.
      document.querySelector<HTMLElement>('search input')?.focus();
    };
    return <Button onClick={find}>Find a client</Button>;
  }
  if (action === 'retry') {
    return (
      <Button
        leftSection={status.refetching && <Spinner size={17} />}
        onClick={() => status.retry()}
      >
        Try again
      </Button>
    );
  }
  if (action === 'rooms' && team !== undefined) {
    return (
      <Button component={Link} to={toClientPath(team.client_id)}>
        Show rooms
      </Button>
    );
  }
  return (
    <Button component={Link} to={ROUTES.chat} onClick={() => showAll(search.close)}>
      Show all clients
    </Button>
  );
};

/** How long after its fetch a list of clients may be fetched again, ms, and a little more. */
const FETCH_AGAIN_MS = 11_000;

/** Clients that the list still lacked when it was fetched once more. */
const retried = new Set<string>();

/**
 * Fetches the list again for a client that it lacks, because it may be newer than the list: once
 * more after a while, because a list that was just fetched is not fetched again at once, and
 * whenever the page is shown.
 */
const useFetchAgain = (clientId: string | undefined): void => {
  const { retry } = useTeamsStatus();
  const fetchAgain = useEffectEvent(retry);
  useEffect(() => {
    if (clientId === undefined) return undefined;
    const timer = setTimeout(() => {
      if (retried.has(clientId)) return;
      retried.add(clientId);
      fetchAgain();
    }, FETCH_AGAIN_MS);
    const onShown = (): void => {
      if (document.visibilityState === 'visible') fetchAgain();
    };
    document.addEventListener('visibilitychange', onShown);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onShown);
    };
  }, [clientId]);
};

/** The message pane while no room is open: a choice to make, or an error. */
const NoRoomPane = ({
  kind,
  team,
  search,
}: {
  readonly kind: NoRoom;
  readonly team: Team | undefined;
  readonly search: Pick<SearchPanel, 'start' | 'close'>;
}) => {
  const title = team === undefined ? 'Chat' : toFullName(team);
  usePageTitle(title);
  const hasNoClients = useTeams()?.length === 0;
  const clientId = useChatIds()?.clientId;
  useFetchAgain(kind === 'unknown-client' ? clientId : undefined);
  useEffect(() => {
    // Its room was open, and had the focus, when the client was removed.
    if (kind === 'unknown-client' && document.activeElement === document.body) focusThread();
  }, [kind]);
  // The rooms are the whole page of a phone; elsewhere one of them is about to open.
  if (kind === 'choose-room') return <BarTitle title={title} />;
  const notice = hasNoClients ? NO_CLIENTS : NOTICES[kind];
  return (
    <div
      ref={passFocus}
      role={kind === 'choose-client' ? undefined : 'status'}
      className={classes['root']}
    >
      <BarTitle title={title} />
      <EmptyState
        level="h1"
        icon={<notice.icon size={26} stroke={1.6} />}
        title={notice.title}
        text={notice.text}
      >
        {notice.action !== undefined && (
          <WayOut action={notice.action} team={team} search={search} />
        )}
      </EmptyState>
    </div>
  );
};

export default withMantine(NoRoomPane);
