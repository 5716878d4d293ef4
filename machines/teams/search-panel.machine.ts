import { assertEvent, assign, setup, type SnapshotFrom } from 'xstate';

export type SearchPanelSignal =
  | { readonly type: 'search.opened' }
  | { readonly type: 'search.typed'; readonly query: string }
  | { readonly type: 'search.closed' };

/** The search box of the client column; closing clears the filter (spec §4). */
export const searchPanelMachine = setup({
  types: { context: {} as { readonly query: string }, events: {} as SearchPanelSignal },
  actions: {
    keepQuery: assign(({ event }) => {
      assertEvent(event, 'search.typed');
      return { query: event.query };
    }),
    clearQuery: assign({ query: '' }),
  },
}).createMachine({
  id: 'searchPanel',
  context: { query: '' },
  initial: 'closed',
  states: {
    closed: { on: { 'search.opened': 'open' } },
    open: {
      exit: 'clearQuery',
      on: { 'search.typed': { actions: 'keepQuery' }, 'search.closed': 'closed' },
    },
  },
});

export const selectSearchPanel = (snapshot: SnapshotFrom<typeof searchPanelMachine>) => ({
  open: snapshot.matches('open'),
  query: snapshot.context.query,
});
