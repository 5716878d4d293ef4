import type { AppError } from '#domain/errors.ts';
import type { Store } from '#domain/ports/storage.ts';
import { assertEvent, assign, setup } from 'xstate';

import { unsentRestoreMachine } from '../sign-out/unsent-restore.machine.ts';
import { leaderMachine } from '../leader/leader.machine.ts';
import type { Returned } from '../sign-out/restore-unsent.ts';
import { missing, missingTask } from '../kit/task.ts';
import { teamsMachine } from '../teams/teams.machine.ts';

export type DeskSignal =
  | {
      readonly type: 'store.opened';
      readonly store: Store;
      readonly returned: Returned | undefined;
    }
  | { readonly type: 'store.failed'; readonly error: AppError }
  /** The data was deleted from outside. */
  | { readonly type: 'store.lost' }
  | { readonly type: 'durability.answered'; readonly durable: boolean }
  | { readonly type: 'retry.requested' };

export interface DeskContext {
  readonly uid: string;
  readonly store: Store | undefined;
  /** What came of messages kept earlier, where that was settled at the opening. */
  readonly returned: Returned | undefined;
  /** Why the store is not open, after a failure or a long wait; gone once it is open. */
  readonly error: AppError | undefined;
  /** Failures in a row. */
  readonly attempt: number;
  /** Whether the browser keeps the data until somebody clears it; undefined until it answered. */
  readonly durable: boolean | undefined;
}

/** The storage has not answered for long; it is waited for still. */
const HELD_UP: AppError = { kind: 'timeout' };

/**
 * The desk of one signed-in user: holds the user's store open and runs what works on it.
 * When it stops, its parts stop first and the store is closed last. Storage that cannot be
 * opened (a full disk, another tab in the way) is tried again by itself, one that takes long
 * (a tab was frozen in the middle of clearing up) is said to, and one that was deleted (storage
 * cleared, or signed out and in again in another tab) is opened anew.
 */
export const deskMachine = setup({
  types: {
    context: {} as DeskContext,
    events: {} as DeskSignal,
    input: {} as { readonly uid: string },
    children: {} as { kept: 'kept'; teams: 'teams'; leader: 'leader' },
  },
  actors: {
    holdStore: missingTask<{ readonly uid: string }>('holdStore'),
    requestPersistentStorage: missingTask('requestPersistentStorage'),
    kept: unsentRestoreMachine,
    teams: teamsMachine,
    leader: leaderMachine,
  },
  actions: {
    keepStore: assign(({ event }) => {
      assertEvent(event, 'store.opened');
      const { store, returned } = event;
      return { store, returned, error: undefined, attempt: 0 };
    }),
    keepDurability: assign(({ event }) => {
      assertEvent(event, 'durability.answered');
      return { durable: event.durable };
    }),
    dropStore: assign({ store: undefined }),
    keepError: assign(({ context, event }) => {
      assertEvent(event, 'store.failed');
      return { error: event.error, attempt: context.attempt + 1 };
    }),
    keepHeldUp: assign({ error: HELD_UP }),
  },
  delays: { retryDelay: missing('retryDelay'), patience: missing('patience') },
}).createMachine({
  id: 'desk',
  context: ({ input }) => ({
    uid: input.uid,
    store: undefined,
    returned: undefined,
    error: undefined,
    attempt: 0,
    durable: undefined,
  }),
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
            'retry.requested': { target: '#desk.holding', reenter: true },
          },
          after: { patience: { actions: 'keepHeldUp' } },
        },
        open: {
          on: {
            'store.lost': '#desk.lost',
            'durability.answered': { actions: 'keepDurability' },
          },
          invoke: [
            { src: 'requestPersistentStorage' },
            { id: 'kept', src: 'kept', input: ({ context }) => mustHaveStore(context) },
            { id: 'teams', src: 'teams', input: ({ context }) => mustHaveStore(context) },
            { id: 'leader', src: 'leader', input: ({ context }) => mustHaveStore(context) },
          ],
        },
      },
    },
    lost: { after: { retryDelay: 'holding' } },
    failed: { after: { retryDelay: 'holding' }, on: { 'retry.requested': 'holding' } },
  },
});

function mustHaveStore({ uid, store, returned }: DeskContext) {
  if (store === undefined) throw new Error('The store is not open');
  return { uid, store, returned };
}
