import { assign, setup } from 'xstate';

import { missing, missingTask } from '../kit/task.ts';

export type SignOutCleanupSignal =
  /** Nothing of anybody who signed out is left. */
  | { readonly type: 'departures.finished' }
  /** Something is left: another tab holds on to it, or the disk is full. */
  | { readonly type: 'departures.failed' }
  | { readonly type: 'departures.begun' };

/** Deletes what those who signed out have left on this device, until all of it is gone. */
export const signOutCleanupMachine = setup({
  types: {
    /** `attempt`: failures in a row. */
    context: {} as { readonly attempt: number },
    events: {} as SignOutCleanupSignal,
  },
  actors: { finish: missingTask('finish') },
  actions: {
    countAttempt: assign({ attempt: ({ context }) => context.attempt + 1 }),
    resetAttempts: assign({ attempt: 0 }),
  },
  delays: { retryDelay: missing('retryDelay') },
}).createMachine({
  id: 'departures',
  context: { attempt: 0 },
  initial: 'finishing',
  states: {
    finishing: {
      invoke: { src: 'finish' },
      on: {
        'departures.finished': { target: 'settled', actions: 'resetAttempts' },
        'departures.failed': 'waiting',
        'departures.begun': { target: 'finishing', reenter: true },
      },
    },
    waiting: {
      entry: 'countAttempt',
      after: { retryDelay: 'finishing' },
      on: { 'departures.begun': 'finishing' },
    },
    settled: { on: { 'departures.begun': 'finishing' } },
  },
});
