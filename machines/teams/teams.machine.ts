import type { AppError } from '#domain/errors.ts';
import type { Store } from '#domain/ports/storage.ts';
import { assertEvent, assign, setup, type SnapshotFrom } from 'xstate';

import { revalidateSession } from '../kit/revalidate-session.ts';
import { missing, missingTask } from '../kit/task.ts';

export type TeamsSignal =
  /** Teams are on this device, fetched then (ms since the epoch). */
  | { readonly type: 'cache.found'; readonly fetchedAt: number }
  | { readonly type: 'cache.missing' }
  | { readonly type: 'teams.loaded'; readonly fetchedAt: number }
  | { readonly type: 'teams.failed'; readonly error: AppError }
  | { readonly type: 'retry.requested' }
  | { readonly type: 'network.returned' }
  | { readonly type: 'page.shown' };

export interface TeamsContext {
  readonly store: Store;
  readonly fetchedAt: number;
  /** Failures in a row. */
  readonly attempt: number;
}

export interface StoreInput {
  readonly store: Store;
}

/**
 * The client list (spec §4, §9): fresh for 30 minutes, shown stale while refetching, kept
 * for offline whatever its age; an error only when nothing is on this device.
 */
export const teamsMachine = setup({
  types: { context: {} as TeamsContext, events: {} as TeamsSignal, input: {} as StoreInput },
  actors: {
    readCache: missingTask<StoreInput>('readCache'),
    fetchTeams: missingTask<StoreInput>('fetchTeams'),
    fetchProducers: missingTask<StoreInput>('fetchProducers'),
    watchEnvironment: missingTask('watchEnvironment'),
  },
  actions: {
    keepFetchedAt: assign(({ event }) => {
      assertEvent(event, ['cache.found', 'teams.loaded']);
      return { fetchedAt: event.fetchedAt, attempt: 0 };
    }),
    countAttempt: assign({ attempt: ({ context }) => context.attempt + 1 }),
    revalidateSession,
  },
  guards: {
    isFresh: missing('isFresh'),
    isUnauthenticated: ({ event }) => 'error' in event && event.error.kind === 'unauthenticated',
  },
  delays: { freshness: missing('freshness'), retryDelay: missing('retryDelay') },
}).createMachine({
  id: 'teams',
  context: ({ input }) => ({ store: input.store, fetchedAt: 0, attempt: 0 }),
  invoke: { src: 'watchEnvironment' },
  initial: 'loading',
  states: {
    loading: {
      initial: 'reading',
      states: {
        reading: {
          invoke: { src: 'readCache', input: ({ context }) => context },
          on: {
            'cache.found': [
              { guard: 'isFresh', target: '#teams.success.fresh', actions: 'keepFetchedAt' },
              { target: '#teams.success.refetching', actions: 'keepFetchedAt' },
            ],
            'cache.missing': 'fetching',
          },
        },
        fetching: {
          invoke: { src: 'fetchTeams', input: ({ context }) => context },
          on: {
            'teams.loaded': { target: '#teams.success.fresh', actions: 'keepFetchedAt' },
            'teams.failed': [
              { guard: 'isUnauthenticated', target: '#teams.error', actions: 'revalidateSession' },
              { target: '#teams.error' },
            ],
          },
        },
      },
    },
    error: {
      initial: 'waiting',
      states: {
        waiting: {
          entry: 'countAttempt',
          after: { retryDelay: 'refetching' },
          on: {
            'retry.requested': 'refetching',
            'network.returned': 'refetching',
            'page.shown': 'refetching',
          },
        },
        refetching: {
          invoke: { src: 'fetchTeams', input: ({ context }) => context },
          on: {
            'teams.loaded': { target: '#teams.success.fresh', actions: 'keepFetchedAt' },
            'teams.failed': 'waiting',
          },
        },
      },
    },
    success: {
      initial: 'fresh',
      states: {
        fresh: {
          invoke: { src: 'fetchProducers', input: ({ context }) => context },
          after: { freshness: 'checking' },
        },
        checking: {
          invoke: { src: 'readCache', input: ({ context }) => context },
          on: {
            'cache.found': [
              { guard: 'isFresh', target: 'fresh', actions: 'keepFetchedAt' },
              { target: 'refetching', actions: 'keepFetchedAt' },
            ],
            'cache.missing': 'refetching',
          },
        },
        refetching: {
          invoke: { src: 'fetchTeams', input: ({ context }) => context },
          on: {
            'teams.loaded': { target: 'fresh', actions: 'keepFetchedAt' },
            'teams.failed': [
              { guard: 'isUnauthenticated', target: 'stale', actions: 'revalidateSession' },
              { target: 'stale' },
            ],
          },
        },
        stale: {
          entry: 'countAttempt',
          after: { retryDelay: 'refetching' },
          on: {
            'retry.requested': 'refetching',
            'network.returned': 'refetching',
            'page.shown': 'refetching',
          },
        },
      },
    },
  },
});

/** What the client column sees. */
export const selectTeams = (snapshot: SnapshotFrom<typeof teamsMachine>) => ({
  state: snapshot.matches('success')
    ? ('success' as const)
    : snapshot.matches('error')
      ? ('error' as const)
      : ('loading' as const),
  refetching:
    snapshot.matches({ success: 'refetching' }) || snapshot.matches({ error: 'refetching' }),
});
