import { assign, setup } from 'xstate';

import { missing, missingTask } from './task.ts';
import type { StoreInput } from './teams.machine.ts';

export type KeptSignal =
  /** Nothing is kept, or all of it is in the outbox. */
  | { readonly type: 'kept.taken' }
  /** It could not be stored. */
  | { readonly type: 'kept.failed' };

export interface KeptInput extends StoreInput {
  readonly uid: string;
}

export interface KeptContext extends KeptInput {
  /** Failures in a row. */
  readonly attempt: number;
}

/** Brings back what its author kept at an earlier sign-out, until that is done. */
export const keptMachine = setup({
  types: {
    context: {} as KeptContext,
    events: {} as KeptSignal,
    input: {} as KeptInput,
  },
  actors: { takeBack: missingTask<KeptInput>('takeBack') },
  actions: { countAttempt: assign({ attempt: ({ context }) => context.attempt + 1 }) },
  delays: { retryDelay: missing('retryDelay') },
}).createMachine({
  id: 'kept',
  context: ({ input }) => ({ ...input, attempt: 0 }),
  initial: 'taking',
  states: {
    taking: {
      invoke: { src: 'takeBack', input: ({ context }) => context },
      on: { 'kept.taken': 'done', 'kept.failed': 'waiting' },
    },
    waiting: { entry: 'countAttempt', after: { retryDelay: 'taking' } },
    done: { type: 'final' },
  },
});
