import { useRef, useState } from 'react';

import { useClientsWide } from '#db/hooks/use-layout.ts';
import type { Team } from '#domain/schemas/team.ts';
import type { TeamsView } from '#src/actors/desk.ts';
import { useLocalChoices } from '#src/actors/local-choices.ts';
import { navigate, useChatIds } from '#src/ui/address.tsx';
import { deferredComponent } from '#src/ui/deferred/deferred-component.tsx';
import { usePageFrame } from '#src/ui/page-frame.ts';

import classes from './client-column.module.css';
import { ClientList, toPath } from './client-list.tsx';
import { ClientsHead } from './clients-head.tsx';
import { ClientsState } from './clients-state.tsx';
import { useInbox } from '../inbox/use-inbox.ts';
import { useLines } from '../inbox/use-lines.ts';
import type { SearchPanel } from './use-search-panel.ts';

const NO_TEAMS: readonly Team[] = [];

/** Until they have loaded, their place is empty. */
const Filters = deferredComponent(
  () => import('../inbox/filters.tsx'),
  () => <div className={classes['filters']} />,
);

/** Without its chunk the entries of the collapsed column have no card. */
const HoverCard = deferredComponent(() => import('./hover-card.tsx'));

/** Without its chunk an empty list shows no reason, and the list keeps its position. */
const ListStatus = deferredComponent(() => import('../inbox/list-status.tsx'));

/** Expanded or collapsed as last used on this device. */
const useWide = (): readonly [wide: boolean, setWide: (wide: boolean) => void] => {
  const { saveClientsWide } = useLocalChoices();
  const kept = useClientsWide();
  // Applies immediately, whether or not it can be stored.
  const [chosen, setChosen] = useState<boolean | undefined>();
  const setWide = (wide: boolean): void => {
    setChosen(wide);
    saveClientsWide(wide);
  };
  return [chosen ?? kept ?? false, setWide];
};

/**
 * Clients: 72 px of avatars or 312 px with names (spec §9) and the latest text; a search also needs
 * the wider column.
 */
export const ClientColumn = ({
  teams,
  status,
  search,
}: {
  readonly teams: readonly Team[] | undefined;
  readonly status: TeamsView;
  readonly search: SearchPanel;
}) => {
  const [wide, setWide] = useWide();
  const { phone, shownUnread: unread } = usePageFrame();
  const ids = useChatIds();
  const lines = useLines();
  const scroller = useRef<HTMLDivElement>(null);
  const expanded = wide || search.open;
  const filtered = (phone || wide) && !search.open;
  const { choice, choose, shown, unreadClients } = useInbox(teams, unread, lines, {
    find: search.open ? search.find : undefined,
    filtered,
    openId: ids?.clientId,
  });
  const toggle = (): void => {
    setWide(!expanded);
    search.close();
  };
  const openFirst = (): void => {
    const first = shown?.[0];
    if (!first || !search.query) return;
    search.close();
    navigate(toPath(first, lines.ofClient(first, 'all', unread)?.room));
  };
  return (
    <nav aria-label="Clients" className={classes['root']} data-expanded={expanded || undefined}>
      <ClientsHead search={search} expanded={expanded} onToggle={toggle} onEnter={openFirst} />
      <ClientsState status={status} known={teams !== undefined} expanded={expanded} />
      {filtered && teams !== undefined && (
        <Filters
          choice={choice}
          teams={teams}
          lines={lines}
          unread={unreadClients}
          onChoose={choose}
        />
      )}
      <div ref={scroller} className={classes['scroller']}>
        <ClientList
          teams={shown ?? NO_TEAMS}
          unread={unread}
          lines={lines}
          tall={phone || expanded}
          filter={filtered ? choice.filter : 'all'}
          scroller={scroller}
        />
        <ListStatus
          query={search.query}
          filter={filtered ? choice.filter : 'all'}
          order={choice.order}
          teams={teams && shown}
          scroller={scroller}
        />
        {!expanded && <HoverCard scroller={scroller} />}
      </div>
    </nav>
  );
};
