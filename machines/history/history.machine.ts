import type { AppError } from '#domain/errors.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { earlierOf, type Timetoken, TIMETOKEN_MAX } from '#domain/timetoken.ts';
import { assertEvent, assign, setup, type SnapshotFrom } from 'xstate';

import { missing, missingTask } from '../kit/task.ts';

export type HistorySignal =
  /** Messages down to `from` are on this device; `more`: older ones exist here or there. */
  | { readonly type: 'cache.found'; readonly from: Timetoken; readonly more: boolean }
  | { readonly type: 'cache.missing' }
  /** The newest page was read from the network. */
  | { readonly type: 'newest.loaded'; readonly from: Timetoken; readonly more: boolean }
  | { readonly type: 'newest.failed'; readonly error: AppError }
  | { readonly type: 'more.requested' }
  | { readonly type: 'more.loaded'; readonly from: Timetoken; readonly more: boolean }
  | { readonly type: 'more.failed'; readonly error: AppError }
  | { readonly type: 'retry.requested' }
  | { readonly type: 'network.returned' }
  | { readonly type: 'page.shown' };

export interface HistoryContext {
  readonly room: RoomKey;
  /** The oldest position shown. */
  readonly from: Timetoken | undefined;
  /** Failures of the newest page in a row. */
  readonly attempt: number;
}

export interface HistoryInput {
  readonly room: RoomKey;
}

/**
 * What an open room shows of its log. Region `thread` is what the screen sees (spec §4);
 * region `newest` reads the newest page from the network, whatever is shown meanwhile.
 */
export const historyMachine = setup({
  types: {
    context: {} as HistoryContext,
    events: {} as HistorySignal,
    input: {} as HistoryInput,
  },
  actors: {
    readCache: missingTask<HistoryInput>('readCache'),
    readNewest: missingTask<HistoryInput>('readNewest'),
    readMore: missingTask<HistoryInput & { readonly from: Timetoken }>('readMore'),
    watchEnvironment: missingTask('watchEnvironment'),
  },
  actions: {
    moveFrom: assign(({ context, event }) => {
      assertEvent(event, ['cache.found', 'newest.loaded', 'more.loaded']);
      return { from: earlierOf(context.from ?? TIMETOKEN_MAX, event.from) };
    }),
    countAttempt: assign({ attempt: ({ context }) => context.attempt + 1 }),
    resetAttempts: assign({ attempt: 0 }),
  },
  guards: { hasMore: ({ event }) => 'more' in event && event.more },
  delays: { retryDelay: missing('retryDelay') },
}).createMachine({
  id: 'history',
  context: ({ input }) => ({ room: input.room, from: undefined, attempt: 0 }),
  invoke: { src: 'watchEnvironment' },
  type: 'parallel',
  states: {
    thread: {
      initial: 'loading',
      states: {
        loading: {
          on: {
            'cache.found': [
              { guard: 'hasMore', target: 'success.idle', actions: 'moveFrom' },
              { target: 'success.complete', actions: 'moveFrom' },
            ],
            'newest.loaded': [
              { guard: 'hasMore', target: 'success.idle', actions: 'moveFrom' },
              { target: 'success.complete', actions: 'moveFrom' },
            ],
            'newest.failed': 'error',
          },
        },
        error: {
          on: {
            'newest.loaded': [
              { guard: 'hasMore', target: 'success.idle', actions: 'moveFrom' },
              { target: 'success.complete', actions: 'moveFrom' },
            ],
            'retry.requested': 'loading',
          },
        },
        success: {
          initial: 'idle',
          states: {
            idle: { on: { 'more.requested': 'fetchingMore' } },
            fetchingMore: {
              invoke: {
                src: 'readMore',
                input: ({ context }) => ({
                  room: context.room,
                  from: context.from ?? TIMETOKEN_MAX,
                }),
              },
              on: {
                'more.loaded': [
                  { guard: 'hasMore', target: 'idle', actions: 'moveFrom' },
                  { target: 'complete', actions: 'moveFrom' },
                ],
                'more.failed': 'stuck',
              },
            },
            stuck: {
              on: { 'more.requested': 'fetchingMore', 'network.returned': 'fetchingMore' },
            },
            /** Old history may be forgotten while it is on show: it can be fetched again. */
            complete: { on: { 'more.requested': 'fetchingMore' } },
          },
        },
      },
    },
    newest: {
      initial: 'caching',
      states: {
        caching: {
          invoke: { src: 'readCache', input: ({ context }) => context },
          on: { 'cache.found': 'reading', 'cache.missing': 'reading' },
        },
        reading: {
          invoke: { src: 'readNewest', input: ({ context }) => context },
          on: { 'newest.loaded': 'settled', 'newest.failed': 'waiting' },
        },
        settled: { entry: 'resetAttempts', on: { 'page.shown': 'reading' } },
        waiting: {
          entry: 'countAttempt',
          after: { retryDelay: 'reading' },
          on: {
            'network.returned': 'reading',
            'page.shown': 'reading',
            'retry.requested': 'reading',
          },
        },
      },
    },
  },
});

/** What the open room sees. "More" exists until a page came that was not full (spec §9). */
export const selectHistory = (snapshot: SnapshotFrom<typeof historyMachine>) => {
  const isSuccess = snapshot.matches({ thread: 'success' });
  return {
    state: isSuccess
      ? ('success' as const)
      : snapshot.matches({ thread: 'error' })
        ? ('error' as const)
        : ('loading' as const),
    fetchingMore: snapshot.matches({ thread: { success: 'fetchingMore' } }),
    hasMore: isSuccess && !snapshot.matches({ thread: { success: 'complete' } }),
    /** The last try to fetch more failed. */
    moreFailed: snapshot.matches({ thread: { success: 'stuck' } }),
    from: snapshot.context.from,
  };
};
