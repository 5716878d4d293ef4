import type { AppError } from '#domain/errors.ts';
import { assertEvent, assign, sendTo, setup, type SnapshotFrom } from 'xstate';

import { findParent } from './find-parent.ts';
import { missingTask } from './task.ts';

export type LogoutSignal =
  | { readonly type: 'logout.requested' }
  | { readonly type: 'logout.done' }
  | { readonly type: 'logout.failed'; readonly error: AppError };

/** Signing out: only the server's word ends the session, so it fails while out of reach. */
export const logoutMachine = setup({
  types: {
    context: {} as { readonly error: AppError | undefined },
    events: {} as LogoutSignal,
  },
  actors: { signOut: missingTask('signOut') },
  actions: {
    tellDone: sendTo(findParent, { type: 'logout.done' }),
    keepError: assign(({ event }) => {
      assertEvent(event, 'logout.failed');
      return { error: event.error };
    }),
  },
}).createMachine({
  id: 'logout',
  context: { error: undefined },
  initial: 'idle',
  states: {
    idle: { on: { 'logout.requested': 'loading' } },
    loading: {
      invoke: { src: 'signOut' },
      on: {
        'logout.done': { target: 'idle', actions: 'tellDone' },
        'logout.failed': { target: 'error', actions: 'keepError' },
      },
    },
    error: { on: { 'logout.requested': 'loading' } },
  },
});

/** How signing out is going; an old error stays out of sight while loading. */
export const selectLogout = (snapshot: SnapshotFrom<typeof logoutMachine>) => ({
  state: snapshot.value,
  error: snapshot.matches('error') ? snapshot.context.error : undefined,
});
