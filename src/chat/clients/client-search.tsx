import { useEffect, useRef } from 'react';
import { IconSearch, IconX } from '@tabler/icons-react';

import { filterTeams } from '#domain/text/search.ts';
import { isComposing } from '#src/ui/key-names.ts';

import classes from './client-search.module.css';
import type { SearchPanel } from './use-search-panel.ts';

/** The open search panel: filters by first and last name; Enter opens the first, Escape closes. */
const ClientSearch = ({
  search,
  onEnter,
}: {
  readonly search: SearchPanel;
  readonly onEnter: () => void;
}) => {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <search className={classes['root']}>
      <IconSearch className={classes['icon']} size={18} stroke={1.8} aria-hidden />
      <input
        ref={input}
        type="search"
        className={classes['input']}
        aria-label="Search clients"
        placeholder="Search by name"
        autoComplete="off"
        value={search.query}
        onChange={(event) => search.setQuery(event.currentTarget.value, filterTeams)}
        onKeyDown={(event) => {
          if (isComposing(event.nativeEvent)) return;
          if (event.key === 'Escape') search.close();
          if (event.key !== 'Enter') return;
          // The search closes, and the key must not reach the button that gets the focus.
          event.preventDefault();
          onEnter();
        }}
      />
      <button
        type="button"
        className={classes['close']}
        aria-label="Close search"
        onClick={search.close}
      >
        <IconX size={16} aria-hidden />
      </button>
    </search>
  );
};

export default ClientSearch;
