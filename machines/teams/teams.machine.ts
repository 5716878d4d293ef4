import type { AppError } from '#domain/errors.ts';
import { TEAMS_TTL_MS } from '#domain/limits.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Store } from '#domain/ports/storage.ts';
import { ok, type Result } from '#domain/result.ts';
import { assign, fromPromise, setup, type SnapshotFrom } from 'xstate';

import { findFailure, hasFailed, reportFailure, toValue } from '../kit/answer.ts';
import {
  REFETCH_HIDDEN_FACTOR,
  REQUEST_LIMIT_MS,
  STORAGE_LIMIT_MS,
  TEAMS_AGE_MIN_MS,
} from '../kit/limits.ts';
import { toRefetchDelay } from '../kit/refetch-delay.ts';
import { revalidateSession } from '../kit/revalidate-session.ts';
import { type EnvironmentSignal, watchEnvironment } from '../kit/watch-environment.ts';

/** A retry is also requested while the address names a client that the list lacks. */
export type TeamsSignal = { readonly type: 'retry.requested' } | EnvironmentSignal;

export interface TeamsInput {
  readonly store: Store;
}

export interface TeamsContext extends TeamsInput {
  /** When the teams on this device were fetched, ms since the epoch; undefined without any. */
  readonly fetchedAt: number | undefined;
  /** Consecutive failures. */
  readonly attempt: number;
}

type TeamsPorts = Pick<Ports, 'clock' | 'random' | 'staffApi' | 'environment' | 'clientLog'>;

/**
 * True while fetched data is younger than `ttlMs`. A fetch time in the future means that the clock
 * was set back, and counts as stale. Times are ms since the epoch.
 */
export const isFresh = (fetchedAt: number | undefined, nowMs: number, ttlMs: number): boolean =>
  fetchedAt !== undefined && nowMs >= fetchedAt && nowMs - fetchedAt < ttlMs;

const toActors = ({ clock, staffApi, environment }: TeamsPorts) => ({
  readCache: fromPromise(async ({ input }: { readonly input: TeamsInput }) =>
    input.store.findTeamsFetchedAt(),
  ),
  fetchTeams: fromPromise<Result<number, AppError>, TeamsInput>(async ({ input, signal }) => {
    const teams = await staffApi.getTeams(signal);
    if (!teams.ok) return teams;
    const fetchedAt = clock.now();
    const saved = await input.store.saveTeams(teams.value, fetchedAt);
    return saved.ok ? ok(fetchedAt) : saved;
  }),
  fetchProducers: fromPromise<Result<unknown, AppError>, TeamsInput>(async ({ input, signal }) => {
    const producers = await staffApi.getProducers(signal);
    // An empty answer may be a swallowed error (spec §7): the known list stays.
    if (!producers.ok || producers.value.length === 0 || signal.aborted) return producers;
    return input.store.saveProducers(producers.value, clock.now());
  }),
  watchEnvironment: watchEnvironment(environment),
});

const setupTeams = (ports: TeamsPorts) =>
  setup({
    types: { context: {} as TeamsContext, events: {} as TeamsSignal, input: {} as TeamsInput },
    actors: toActors(ports),
    actions: {
      keepFetchedAt: assign(({ context }, fetchedAt: number | undefined) => ({
        fetchedAt: fetchedAt ?? context.fetchedAt,
        attempt: 0,
      })),
      countAttempt: assign({ attempt: ({ context }) => context.attempt + 1 }),
      revalidateSession,
      reportFailure: reportFailure(ports),
    },
    guards: {
      isFresh: (_, fetchedAt: number | undefined) =>
        isFresh(fetchedAt, ports.clock.now(), TEAMS_TTL_MS),
      isOld: ({ context }, ageMs: number) => !isFresh(context.fetchedAt, ports.clock.now(), ageMs),
      hasFailed,
      isUnauthenticated: ({ event }) => findFailure(event)?.kind === 'unauthenticated',
    },
    delays: {
      storageLimit: STORAGE_LIMIT_MS,
      requestLimit: REQUEST_LIMIT_MS,
      freshness: ({ context: { fetchedAt = 0 } }) => fetchedAt + TEAMS_TTL_MS - ports.clock.now(),
      retryDelay: ({ context }) => toRefetchDelay(ports, context.attempt),
      /** Up to four minutes, as in hidden tabs: no part of the screen waits for the producers. */
      producersDelay: () => toRefetchDelay(ports, Infinity, REFETCH_HIDDEN_FACTOR),
    },
  });

/**
 * The client list (spec §4, §9): fresh for 30 minutes, shown stale while refetching, cached for
 * offline use regardless of its age; an error only if nothing is cached.
 */
export const createTeamsMachine = (ports: TeamsPorts) =>
  setupTeams(ports).createMachine({
    id: 'teams',
    context: ({ input }) => ({ store: input.store, fetchedAt: undefined, attempt: 0 }),
    invoke: { src: 'watchEnvironment' },
    initial: 'reading',
    states: {
      reading: {
        invoke: {
          src: 'readCache',
          input: ({ context }) => context,
          onDone: [
            { guard: 'hasFailed', target: 'fetching' },
            {
              guard: { type: 'isFresh', params: toValue },
              target: 'fresh',
              actions: { type: 'keepFetchedAt', params: toValue },
            },
            { target: 'fetching', actions: { type: 'keepFetchedAt', params: toValue } },
          ],
          onError: { target: 'fetching', actions: 'reportFailure' },
        },
        after: { storageLimit: { target: 'fetching', actions: 'reportFailure' } },
      },
      fetching: {
        invoke: {
          src: 'fetchTeams',
          input: ({ context }) => context,
          onDone: [
            { guard: 'isUnauthenticated', target: 'waiting', actions: 'revalidateSession' },
            { guard: 'hasFailed', target: 'waiting' },
            { target: 'fresh', actions: { type: 'keepFetchedAt', params: toValue } },
          ],
          onError: { target: 'waiting', actions: 'reportFailure' },
        },
        after: { requestLimit: { target: 'waiting', actions: 'reportFailure' } },
      },
      waiting: {
        entry: 'countAttempt',
        after: { retryDelay: 'fetching' },
        on: {
          'retry.requested': 'fetching',
          'network.returned': 'fetching',
          'page.shown': 'fetching',
        },
      },
      fresh: {
        after: { freshness: 'reading' },
        // Timers sleep with the device.
        on: {
          'retry.requested': {
            guard: { type: 'isOld', params: TEAMS_AGE_MIN_MS },
            target: 'fetching',
          },
          'network.returned': { guard: { type: 'isOld', params: TEAMS_TTL_MS }, target: 'reading' },
          'page.shown': { guard: { type: 'isOld', params: TEAMS_TTL_MS }, target: 'reading' },
        },
        initial: 'fetchingProducers',
        states: {
          fetchingProducers: {
            invoke: {
              src: 'fetchProducers',
              input: ({ context }) => context,
              onDone: [
                { guard: 'isUnauthenticated', target: 'waiting', actions: 'revalidateSession' },
                { guard: 'hasFailed', target: 'waiting' },
                'settled',
              ],
              onError: { target: 'waiting', actions: 'reportFailure' },
            },
            after: { requestLimit: { target: 'waiting', actions: 'reportFailure' } },
          },
          waiting: {
            after: { producersDelay: 'fetchingProducers' },
            // Reading the list again ends with fetching the producers.
            on: { 'network.returned': '#teams.reading', 'page.shown': '#teams.reading' },
          },
          settled: {},
        },
      },
    },
  });

export type TeamsMachine = ReturnType<typeof createTeamsMachine>;

/** The client list as the client column sees it. */
export const selectTeams = (snapshot: SnapshotFrom<TeamsMachine>) => {
  const { fetchedAt, attempt } = snapshot.context;
  /** The last request failed: the list may be old. */
  const failed = attempt > 0;
  const unknown = failed ? ('error' as const) : ('loading' as const);
  const state = fetchedAt === undefined ? unknown : ('success' as const);
  return { state, failed, refetching: state !== 'loading' && snapshot.matches('fetching') };
};
