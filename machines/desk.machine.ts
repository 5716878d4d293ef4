import type { AppError } from '#domain/errors.ts';
import type { Store } from '#domain/ports.ts';
import { assertEvent, assign, setup } from 'xstate';

import { leaderMachine } from './leader.machine.ts';
import { missingTask } from './task.ts';
import { teamsMachine } from './teams.machine.ts';

export type DeskSignal =
  | { readonly type: 'store.opened'; readonly store: Store }
  | { readonly type: 'store.failed'; readonly error: AppError }
  | { readonly type: 'retry.requested' };

export interface DeskContext {
  readonly uid: string;
  readonly store: Store | undefined;
  readonly error: AppError | undefined;
}

/**
 * The desk of one signed-in user: holds the user's store open and runs what works on it.
 * When it stops, its parts stop first and the store is closed last.
 */
export const deskMachine = setup({
  types: {
    context: {} as DeskContext,
    events: {} as DeskSignal,
    input: {} as { readonly uid: string },
    children: {} as { teams: 'teams'; leader: 'leader' },
  },
  actors: {
    holdStore: missingTask<{ readonly uid: string }>('holdStore'),
    teams: teamsMachine,
    leader: leaderMachine,
  },
  actions: {
    keepStore: assign(({ event }) => {
      assertEvent(event, 'store.opened');
      return { store: event.store, error: undefined };
    }),
    dropStore: assign({ store: undefined }),
    keepError: assign(({ event }) => {
      assertEvent(event, 'store.failed');
      return { error: event.error };
    }),
  },
}).createMachine({
  id: 'desk',
  context: ({ input }) => ({ uid: input.uid, store: undefined, error: undefined }),
  initial: 'holding',
  states: {
    holding: {
      invoke: { src: 'holdStore', input: ({ context }) => context },
      exit: 'dropStore',
      initial: 'opening',
      states: {
        opening: {
          on: {
            'store.opened': { target: 'open', actions: 'keepStore' },
            'store.failed': { target: '#desk.failed', actions: 'keepError' },
          },
        },
        open: {
          invoke: [
            { id: 'teams', src: 'teams', input: ({ context }) => mustHaveStore(context) },
            { id: 'leader', src: 'leader', input: ({ context }) => mustHaveStore(context) },
          ],
        },
      },
    },
    failed: { on: { 'retry.requested': 'holding' } },
  },
});

function mustHaveStore({ uid, store }: DeskContext) {
  if (store === undefined) throw new Error('The store is not open');
  return { uid, store };
}
