import { useMemo, useState } from 'react';
import {
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconSearch,
} from '@tabler/icons-react';

import { filterTeams } from '#domain/rules/search.ts';
import type { Team } from '#domain/schemas/team.ts';
import type { TeamsView } from '#src/app/actors.ts';

import classes from './client-column.module.css';
import { ClientList } from './client-list.tsx';
import { ClientSearch } from './client-search.tsx';
import { ClientsState } from './clients-state.tsx';
import { HoverLabel } from './hover-label.tsx';

/** Open or closed (spec §4): closing clears the filter. */
const useSearchPanel = () => {
  const [query, setQuery] = useState<string | undefined>();
  return {
    open: query !== undefined,
    query: query ?? '',
    setQuery: (text: string) => setQuery(text),
    start: () => setQuery(''),
    close: () => setQuery(undefined),
  };
};

const ClientsHead = ({
  search,
  expanded,
  onToggle,
}: {
  readonly search: ReturnType<typeof useSearchPanel>;
  readonly expanded: boolean;
  readonly onToggle: () => void;
}) => {
  const ToggleIcon = expanded ? IconLayoutSidebarLeftCollapse : IconLayoutSidebarLeftExpand;
  return (
    <div className={classes['head']}>
      {search.open ? (
        <ClientSearch query={search.query} onChange={search.setQuery} onClose={search.close} />
      ) : (
        <>
          <span className={classes['title']}>Clients</span>
          <button
            type="button"
            className={classes['button']}
            aria-label="Search clients"
            onClick={search.start}
          >
            <IconSearch size={20} stroke={1.8} aria-hidden />
          </button>
        </>
      )}
      <button
        type="button"
        className={classes['button']}
        data-part="toggle"
        aria-label={expanded ? 'Collapse clients' : 'Expand clients'}
        aria-expanded={expanded}
        onClick={onToggle}
      >
        <ToggleIcon size={20} stroke={1.8} aria-hidden />
      </button>
    </div>
  );
};

/** Clients: 72 px of avatars or 312 px with names (spec §9); a search needs the room. */
export const ClientColumn = ({
  teams,
  status,
}: {
  readonly teams: readonly Team[] | undefined;
  readonly status: TeamsView;
}) => {
  const [wide, setWide] = useState(false);
  const search = useSearchPanel();
  const expanded = wide || search.open;
  const shown = useMemo(() => filterTeams(teams ?? [], search.query), [teams, search.query]);
  const toggle = (): void => {
    setWide(!expanded);
    search.close();
  };
  return (
    <nav aria-label="Clients" className={classes['root']} data-expanded={expanded || undefined}>
      <ClientsHead search={search} expanded={expanded} onToggle={toggle} />
      <ClientsState status={status} known={teams !== undefined} expanded={expanded} />
      <HoverLabel active={!expanded} className={classes['scroller'] ?? ''}>
        <ClientList teams={shown} />
        {search.query !== '' && shown.length === 0 && (
          <p className={classes['none']}>No client has a name like “{search.query}”.</p>
        )}
      </HoverLabel>
    </nav>
  );
};
