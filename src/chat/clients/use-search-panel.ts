import { useMachine } from '@xstate/react';

import { searchPanelMachine, selectSearchPanel } from '#machines/teams/search-panel.machine.ts';

/** The search panel of the client column, as its parts see it. */
export interface SearchPanel {
  readonly open: boolean;
  readonly query: string;
  readonly setQuery: (query: string) => void;
  readonly start: () => void;
  readonly close: () => void;
}

export const useSearchPanel = (): SearchPanel => {
  const [snapshot, send] = useMachine(searchPanelMachine);
  return {
    ...selectSearchPanel(snapshot),
    setQuery: (query) => send({ type: 'search.typed', query }),
    start: () => send({ type: 'search.opened' }),
    close: () => send({ type: 'search.closed' }),
  };
};
