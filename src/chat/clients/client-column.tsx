import { useMemo, useState } from 'react';

import { useClientsWide } from '#db/hooks/use-clients-wide.ts';
import { toClientPath } from '#domain/routes.ts';
import { filterTeams } from '#domain/text/search.ts';
import type { UnreadByRoom } from '#domain/rules/unread.ts';
import type { Team } from '#domain/schemas/team.ts';
import type { TeamsView } from '#src/actors/desk.ts';
import { useHabits } from '#src/actors/habits.ts';
import { navigate } from '#src/ui/address.tsx';

import classes from './client-column.module.css';
import { ClientList } from './client-list.tsx';
import { ClientsHead } from './clients-head.tsx';
import { ClientsState } from './clients-state.tsx';
import { HoverLabel } from './hover-label.tsx';
import type { SearchPanel } from './use-search-panel.ts';

/** Announces the number of results to people who do not see the list. */
const SearchOutcome = ({ query, count }: { readonly query: string; readonly count: number }) => (
  <p role="status" className={count === 0 && query !== '' ? classes['none'] : 'visually-hidden'}>
    {query !== '' &&
      (count === 0
        ? `No clients match “${query}”.`
        : `${count} ${count === 1 ? 'client' : 'clients'} found`)}
  </p>
);

/** Expanded or collapsed as last used on this device. */
const useWide = (): readonly [wide: boolean, setWide: (wide: boolean) => void] => {
  const { keepClientsWide } = useHabits();
  const kept = useClientsWide();
  // Immediately, whether or not it can be stored.
  const [chosen, setChosen] = useState<boolean | undefined>();
  const setWide = (wide: boolean): void => {
    setChosen(wide);
    keepClientsWide(wide);
  };
  return [chosen ?? kept ?? false, setWide];
};

/** Clients: 72 px of avatars or 312 px with names (spec §9); a search needs the space. */
export const ClientColumn = ({
  teams,
  unread,
  status,
  search,
}: {
  readonly teams: readonly Team[] | undefined;
  readonly unread: UnreadByRoom;
  readonly status: TeamsView;
  readonly search: SearchPanel;
}) => {
  const [wide, setWide] = useWide();
  const expanded = wide || search.open;
  const shown = useMemo(() => filterTeams(teams ?? [], search.query), [teams, search.query]);
  const toggle = (): void => {
    setWide(!expanded);
    search.close();
  };
  const openFirst = (): void => {
    const [first] = shown;
    if (first === undefined || search.query === '') return;
    search.close();
    navigate(toClientPath(first.client_id));
  };
  return (
    <nav aria-label="Clients" className={classes['root']} data-expanded={expanded || undefined}>
      <ClientsHead search={search} expanded={expanded} onToggle={toggle} onEnter={openFirst} />
      <ClientsState status={status} known={teams !== undefined} expanded={expanded} />
      <HoverLabel active={!expanded} className={classes['scroller'] ?? ''}>
        <ClientList teams={shown} query={search.query} unread={unread} />
        <SearchOutcome query={search.query} count={shown.length} />
      </HoverLabel>
    </nav>
  );
};
