import type { AppError } from '#domain/errors.ts';
import type { Store } from '#domain/ports/storage.ts';
import { assertEvent, assign, sendTo, setup, type SnapshotFrom } from 'xstate';

import { findParent } from '../kit/find-parent.ts';
import { missingTask } from '../kit/task.ts';

export type LogoutSignal =
  /** `store`: the user's, where it could be opened; `drafts`: something typed here is not sent. */
  | {
      readonly type: 'logout.requested';
      readonly uid: string;
      readonly store: Store | undefined;
      readonly drafts: boolean;
    }
  /** `drafts`: something typed in another tab is not sent. */
  | {
      readonly type: 'unsent.counted';
      readonly count: number;
      readonly drafts: boolean;
      /** Unsent messages can be sealed. */
      readonly keepable: boolean;
    }
  /** Rooms with queued messages. */
  | { readonly type: 'queue.changed'; readonly rooms: readonly unknown[] }
  | { readonly type: 'send.chosen' }
  | { readonly type: 'keep.chosen' }
  | { readonly type: 'discard.chosen' }
  | { readonly type: 'logout.cancelled' }
  | { readonly type: 'logout.done' }
  | { readonly type: 'logout.failed'; readonly error: AppError };

export interface LogoutContext {
  readonly error: AppError | undefined;
  readonly uid: string;
  readonly store: Store | undefined;
  readonly drafts: boolean;
  /** Unsent messages can be sealed, so that they may stay here. */
  readonly keepable: boolean;
  /** Unsent messages go with the rest. */
  readonly discards: boolean;
}

export type LeaveInput = Pick<LogoutContext, 'uid' | 'store' | 'discards'>;
export type UnsentInput = Pick<LogoutContext, 'store' | 'uid'>;

/**
 * Signing out, with or without a network. Whoever leaves something unsent is asked first:
 * send it, keep it for the next sign-in here, or discard it.
 */
export const logoutMachine = setup({
  types: { context: {} as LogoutContext, events: {} as LogoutSignal },
  actors: {
    countUnsent: missingTask<UnsentInput>('countUnsent'),
    watchQueue: missingTask<UnsentInput>('watchQueue'),
    signOut: missingTask<LeaveInput>('signOut'),
  },
  actions: {
    keepRequest: assign(({ event }) => {
      assertEvent(event, 'logout.requested');
      const { uid, store, drafts } = event;
      return { uid, store, drafts, keepable: false, discards: false, error: undefined };
    }),
    keepCounted: assign(({ context, event }) => {
      assertEvent(event, 'unsent.counted');
      return { drafts: context.drafts || event.drafts, keepable: event.keepable };
    }),
    chooseDiscard: assign({ discards: true }),
    forgetStore: assign({ store: undefined }),
    tellDone: sendTo(findParent, { type: 'logout.done' }),
    keepError: assign(({ event }) => {
      assertEvent(event, 'logout.failed');
      return { error: event.error };
    }),
  },
  guards: {
    hasUnsent: ({ context, event }) => {
      assertEvent(event, 'unsent.counted');
      return event.count > 0 || event.drafts || context.drafts;
    },
    isKeepable: ({ context }) => context.keepable,
    isQueueEmpty: ({ event }) => event.type === 'queue.changed' && event.rooms.length === 0,
  },
}).createMachine({
  id: 'logout',
  context: {
    error: undefined,
    uid: '',
    store: undefined,
    drafts: false,
    keepable: false,
    discards: false,
  },
  initial: 'idle',
  states: {
    idle: {
      entry: 'forgetStore',
      on: { 'logout.requested': { target: 'checking', actions: 'keepRequest' } },
    },
    checking: {
      invoke: { src: 'countUnsent', input: ({ context }) => context },
      on: {
        'unsent.counted': [
          { guard: 'hasUnsent', target: 'asking', actions: 'keepCounted' },
          { target: 'leaving' },
        ],
        'logout.failed': { target: 'failed', actions: 'keepError' },
        'logout.cancelled': 'idle',
      },
    },
    asking: {
      on: {
        'send.chosen': 'sending',
        'keep.chosen': { guard: 'isKeepable', target: 'leaving' },
        'discard.chosen': { target: 'leaving', actions: 'chooseDiscard' },
        'logout.cancelled': 'idle',
      },
    },
    sending: {
      invoke: { src: 'watchQueue', input: ({ context }) => context },
      on: {
        'queue.changed': { guard: 'isQueueEmpty', target: 'checking' },
        'keep.chosen': { guard: 'isKeepable', target: 'leaving' },
        'logout.cancelled': 'idle',
      },
    },
    leaving: {
      invoke: { src: 'signOut', input: ({ context }) => context },
      on: {
        'logout.done': { target: 'idle', actions: 'tellDone' },
        'logout.failed': { target: 'failed', actions: 'keepError' },
      },
    },
    failed: { on: { 'logout.requested': { target: 'checking', actions: 'keepRequest' } } },
  },
});

/** How signing out is going; an old error stays out of sight while under way. */
export const selectLogout = (snapshot: SnapshotFrom<typeof logoutMachine>) => ({
  state: snapshot.value,
  drafts: snapshot.context.drafts,
  keepable: snapshot.context.keepable,
  error: snapshot.matches('failed') ? snapshot.context.error : undefined,
});
