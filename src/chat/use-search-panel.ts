import { useState } from 'react';

/** The search panel: open or closed; closing clears the filter (spec §4). */
export interface SearchPanel {
  readonly open: boolean;
  readonly query: string;
  readonly setQuery: (query: string) => void;
  readonly start: () => void;
  readonly close: () => void;
}

export const useSearchPanel = (): SearchPanel => {
  const [query, setQuery] = useState<string | undefined>();
  return {
    open: query !== undefined,
    query: query ?? '',
    setQuery: (text) => setQuery(text),
    start: () => setQuery(''),
    close: () => setQuery(undefined),
  };
};
