import { useCallback, useState } from 'react';

import type { Team } from '#domain/schemas/team.ts';

/** Finds clients by a query, in their order. */
export type Find = (teams: readonly Team[], query: string) => readonly Team[];

/** The search panel of the client column, as its parts see it. */
export interface SearchPanel {
  readonly open: boolean;
  readonly query: string;
  /** The clients that match the query; all of them without one. */
  readonly find: (teams: readonly Team[]) => readonly Team[];
  /** `find` loads with the search field, because nothing needs it earlier. */
  readonly setQuery: (query: string, find: Find) => void;
  readonly start: () => void;
  readonly close: () => void;
}

interface Search {
  readonly query: string;
  readonly find?: Find;
}

const EMPTY: Search = { query: '' };

/** Closing clears the filter (spec §4). */
export const useSearchPanel = (): SearchPanel => {
  /** Undefined while the panel is closed. */
  const [search, setSearch] = useState<Search>();
  const { query, find } = search ?? EMPTY;
  return {
    open: search !== undefined,
    query,
    find: useCallback((teams) => find?.(teams, query) ?? teams, [query, find]),
    setQuery: (typed, how) =>
      setSearch((current) => (current === undefined ? current : { query: typed, find: how })),
    start: () => setSearch((current) => current ?? EMPTY),
    close: () => setSearch(undefined),
  };
};
