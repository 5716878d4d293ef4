import type { AppError } from '#domain/errors.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Store } from '#domain/ports/storage.ts';
import type { Result } from '#domain/result.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { earlierOf, type Timetoken, TIMETOKEN_MAX } from '#domain/timetoken.ts';
import { assign, fromPromise, raise, setup, type SnapshotFrom } from 'xstate';

import { hasFailed, reportFailure, toValue } from '../kit/answer.ts';
import { REQUEST_LIMIT_MS, STORAGE_LIMIT_MS } from '../kit/limits.ts';
import { toRefetchDelay } from '../kit/refetch-delay.ts';
import { type EnvironmentSignal, watchEnvironment } from '../kit/watch-environment.ts';
import {
  findNewestStored,
  type HistorySlice,
  type MoreQuery,
  readMore,
  readNewest,
} from './read-history.ts';

export type HistorySignal =
  | EnvironmentSignal
  /** The newest page could not be read from the network. */
  | { readonly type: 'newest.failed' }
  | { readonly type: 'more.requested'; readonly isFar?: boolean }
  | { readonly type: 'retry.requested' };

export interface HistoryInput {
  readonly room: RoomKey;
}

export interface HistoryContext extends HistoryInput {
  /** The messages shown; `more`: older ones exist on the device or the engine. */
  readonly shown: HistorySlice | undefined;
  /** Consecutive failures of the newest page. */
  readonly attempt: number;
}

type HistoryPorts = Pick<Ports, 'random' | 'realtime' | 'environment' | 'clientLog'>;
type Read = Result<HistorySlice, AppError>;

const toActors = (ports: HistoryPorts, store: Store, revalidateSession: () => void) => {
  const renewRefused = (read: Read): Read => {
    if (!read.ok && read.error.kind === 'unauthenticated') {
      ports.realtime.renewToken();
      revalidateSession();
    }
    return read;
  };
  return {
    readCache: fromPromise<Result<HistorySlice | undefined, AppError>, HistoryInput>(({ input }) =>
      findNewestStored(store, input.room),
    ),
    readNewest: fromPromise<Read, HistoryInput>(async ({ input, signal }) =>
      renewRefused(await readNewest(ports, store, input.room, signal)),
    ),
    readMore: fromPromise<Read, MoreQuery>(async ({ input, signal }) =>
      renewRefused(await readMore(ports, store, input, signal)),
    ),
    watchEnvironment: watchEnvironment(ports.environment),
  };
};

const toFrom = (shown: HistorySlice | undefined): Timetoken => shown?.from ?? TIMETOKEN_MAX;

const setupHistory = (ports: HistoryPorts, store: Store, revalidateSession: () => void) =>
  setup({
    types: {
      context: {} as HistoryContext,
      events: {} as HistorySignal,
      input: {} as HistoryInput,
    },
    actors: toActors(ports, store, revalidateSession),
    actions: {
      /** The newest page may reach further back than its stored messages. */
      show: assign(({ context: { shown } }, slice: HistorySlice | undefined) => ({
        shown: shown === undefined || (slice && slice.from < shown.from) ? slice : shown,
      })),
      showMore: assign(({ context: { shown } }, slice: HistorySlice) => ({
        shown: { ...slice, from: earlierOf(toFrom(shown), slice.from) },
      })),
      countAttempt: assign({ attempt: ({ context }) => context.attempt + 1 }),
      resetAttempts: assign({ attempt: 0 }),
      notifyFailed: raise({ type: 'newest.failed' }),
      reportFailure: reportFailure(ports),
    },
    guards: {
      hasFailed,
      isShown: ({ context }) => context.shown !== undefined,
      isComplete: ({ context }) => context.shown?.more === false,
    },
    delays: {
      storageLimit: STORAGE_LIMIT_MS,
      requestLimit: REQUEST_LIMIT_MS,
      retryDelay: ({ context }) => toRefetchDelay(ports, context.attempt),
    },
  });

type HistorySetup = ReturnType<typeof setupHistory>;

/** The state for the screen (spec §4). */
const toThread = (history: HistorySetup) =>
  history.createStateConfig({
    initial: 'loading',
    states: {
      loading: {
        always: { guard: 'isShown', target: 'success' },
        on: { 'newest.failed': 'error' },
      },
      error: {
        always: { guard: 'isShown', target: 'success' },
        on: { 'retry.requested': 'loading' },
      },
      success: {
        initial: 'idle',
        states: {
          idle: {
            always: { guard: 'isComplete', target: 'complete' },
            on: { 'more.requested': 'fetchingMore' },
          },
          fetchingMore: {
            invoke: {
              src: 'readMore',
              input: ({ context: { room, shown }, event }) => ({
                room,
                from: toFrom(shown),
                isFar: event.type === 'more.requested' && event.isFar === true,
              }),
              onDone: [
                { guard: 'hasFailed', target: 'stuck' },
                { target: 'idle', actions: { type: 'showMore', params: toValue } },
              ],
              onError: { target: 'stuck', actions: 'reportFailure' },
            },
            after: { requestLimit: { target: 'stuck', actions: 'reportFailure' } },
          },
          stuck: {
            on: {
              'more.requested': 'fetchingMore',
              'network.returned': 'fetchingMore',
              'page.shown': 'fetchingMore',
            },
          },
          /** Old history may be pruned while it is shown: it can be fetched again. */
          complete: { on: { 'more.requested': 'fetchingMore' } },
        },
      },
    },
  });

/** Reads the newest page from the network, regardless of what is shown meanwhile. */
const toNewest = (history: HistorySetup) =>
  history.createStateConfig({
    initial: 'caching',
    states: {
      caching: {
        invoke: {
          src: 'readCache',
          input: ({ context }) => context,
          onDone: [
            { guard: 'hasFailed', target: 'reading' },
            { target: 'reading', actions: { type: 'show', params: toValue } },
          ],
          onError: { target: 'reading', actions: 'reportFailure' },
        },
        after: { storageLimit: { target: 'reading', actions: 'reportFailure' } },
      },
      reading: {
        invoke: {
          src: 'readNewest',
          input: ({ context }) => context,
          onDone: [
            { guard: 'hasFailed', target: 'waiting' },
            { target: 'settled', actions: { type: 'show', params: toValue } },
          ],
          onError: { target: 'waiting', actions: 'reportFailure' },
        },
        after: { requestLimit: { target: 'waiting', actions: 'reportFailure' } },
      },
      settled: { entry: 'resetAttempts', on: { 'page.shown': 'reading' } },
      waiting: {
        entry: ['countAttempt', 'notifyFailed'],
        after: { retryDelay: 'reading' },
        on: {
          'network.returned': 'reading',
          'page.shown': 'reading',
          'retry.requested': 'reading',
        },
      },
    },
  });

/**
 * The messages of an open room, and how they are read. `revalidateSession` is called when a
 * request was answered 401.
 */
export const createHistoryMachine = (
  ports: HistoryPorts,
  store: Store,
  revalidateSession: () => void,
) => {
  const history = setupHistory(ports, store, revalidateSession);
  return history.createMachine({
    id: 'history',
    context: ({ input }) => ({ room: input.room, shown: undefined, attempt: 0 }),
    invoke: { src: 'watchEnvironment' },
    type: 'parallel',
    states: { thread: toThread(history), newest: toNewest(history) },
  });
};

/** The history as the open room sees it. "More" exists until a page was not full (spec §9). */
export const selectHistory = (snapshot: SnapshotFrom<ReturnType<typeof createHistoryMachine>>) => {
  const isSuccess = snapshot.matches({ thread: 'success' });
  return {
    state: isSuccess
      ? ('success' as const)
      : snapshot.matches({ thread: 'error' })
        ? ('error' as const)
        : ('loading' as const),
    fetchingMore: snapshot.matches({ thread: { success: 'fetchingMore' } }),
    hasMore: isSuccess && !snapshot.matches({ thread: { success: 'complete' } }),
    /** The last attempt to fetch more failed. */
    moreFailed: snapshot.matches({ thread: { success: 'stuck' } }),
    from: snapshot.context.shown?.from,
    newest: snapshot.matches({ newest: 'settled' })
      ? ('read' as const)
      : snapshot.matches({ newest: 'waiting' })
        ? ('failed' as const)
        : ('reading' as const),
  };
};
