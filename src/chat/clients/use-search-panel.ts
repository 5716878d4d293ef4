import { useState } from 'react';

/** The search panel of the client column, as its parts see it. */
export interface SearchPanel {
  readonly open: boolean;
  readonly query: string;
  readonly setQuery: (query: string) => void;
  readonly start: () => void;
  readonly close: () => void;
}

/** Closing clears the filter (spec §4). */
export const useSearchPanel = (): SearchPanel => {
  /** Undefined while the panel is closed. */
  const [query, setQuery] = useState<string>();
  return {
    open: query !== undefined,
    query: query ?? '',
    setQuery: (typed) => setQuery((current) => (current === undefined ? current : typed)),
    start: () => setQuery((current) => current ?? ''),
    close: () => setQuery(undefined),
  };
};
