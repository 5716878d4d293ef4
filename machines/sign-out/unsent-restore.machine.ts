import { assertEvent, assign, setup, type SnapshotFrom } from 'xstate';

import type { Returned } from './restore-unsent.ts';
import { missing, missingTask } from '../kit/task.ts';
import type { StoreInput } from '../teams/teams.machine.ts';

export type UnsentRestoreSignal =
  /** What the keys open is in the outbox. */
  | { readonly type: 'kept.taken'; readonly returned: Returned }
  /** The keys could not be had, or it could not be stored. */
  | { readonly type: 'kept.failed' }
  | { readonly type: 'discard.chosen' }
  | { readonly type: 'discard.done' }
  | { readonly type: 'discard.failed' }
  | { readonly type: 'loss.dismissed' }
  | { readonly type: 'network.returned' };

export interface UnsentRestoreInput extends StoreInput {
  readonly uid: string;
  /** Settled when the store was opened. */
  readonly returned: Returned | undefined;
}

export interface KeptContext extends UnsentRestoreInput {
  /** Failures in a row. */
  readonly attempt: number;
}

/**
 * Fetches the user's keys, without which nothing can be kept at a sign-out, brings back what was
 * kept at earlier ones, and remembers what there is to say about it.
 */
export const unsentRestoreMachine = setup({
  types: {
    context: {} as KeptContext,
    events: {} as UnsentRestoreSignal,
    input: {} as UnsentRestoreInput,
  },
  actors: {
    restoreUnsent: missingTask<UnsentRestoreInput>('restoreUnsent'),
    discard: missingTask<UnsentRestoreInput>('discard'),
    watchEnvironment: missingTask('watchEnvironment'),
  },
  actions: {
    countAttempt: assign({ attempt: ({ context }) => context.attempt + 1 }),
    keepReturned: assign(({ event }) => {
      assertEvent(event, 'kept.taken');
      return { returned: event.returned };
    }),
    forgetUnreadable: assign(({ context: { returned } }) => ({
      returned: returned && { ...returned, unreadable: false },
    })),
    forgetLoss: assign(({ context: { returned } }) => ({
      returned: returned && { ...returned, loss: 'none' as const },
    })),
  },
  guards: { isSettled: ({ context }) => context.returned !== undefined },
  delays: { retryDelay: missing('retryDelay') },
}).createMachine({
  id: 'kept',
  context: ({ input }) => ({ ...input, attempt: 0 }),
  initial: 'starting',
  states: {
    starting: { always: [{ guard: 'isSettled', target: 'settled' }, 'taking'] },
    taking: {
      invoke: { src: 'restoreUnsent', input: ({ context }) => context },
      on: {
        'kept.taken': { target: 'settled', actions: 'keepReturned' },
        'kept.failed': 'waiting',
      },
    },
    waiting: {
      entry: 'countAttempt',
      invoke: { src: 'watchEnvironment' },
      after: { retryDelay: 'taking' },
      on: { 'network.returned': 'taking' },
    },
    settled: {
      on: { 'loss.dismissed': { actions: 'forgetLoss' } },
      initial: 'resting',
      states: {
        resting: { on: { 'discard.chosen': 'discarding' } },
        discarding: {
          invoke: { src: 'discard', input: ({ context }) => context },
          on: {
            'discard.done': { target: 'resting', actions: 'forgetUnreadable' },
            'discard.failed': 'resting',
          },
        },
      },
    },
  },
});

const NOTHING: Returned = { loss: 'none', unreadable: false };

/** What there is to say about kept messages and about a store that was lost. */
export const selectReturned = (
  snapshot: SnapshotFrom<typeof unsentRestoreMachine> | undefined,
): Returned => snapshot?.context.returned ?? NOTHING;
