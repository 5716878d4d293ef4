import type { AppError } from '#domain/errors.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Store } from '#domain/ports/storage.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { Timetoken } from '#domain/timetoken.ts';
import { assign, fromCallback, fromPromise, setup, type SnapshotFrom } from 'xstate';

import { RoomReader } from '../connection/read-rooms.ts';
import { hasFailed, reportFailure, reportThrown, toValue } from '../kit/answer.ts';
import { CATCH_UP_CONCURRENCY, STORAGE_LIMIT_MS } from '../kit/limits.ts';
import { type EnvironmentSignal, watchEnvironment } from '../kit/watch-environment.ts';
import {
  findPeriodCoverage,
  loadRoomSince,
  type Period,
  type PeriodCoverage,
} from './load-period.ts';

export type PeriodSignal =
  | EnvironmentSignal
  | { readonly type: 'load.requested' }
  | { readonly type: 'stop.requested' }
  /** A room is complete now. */
  | { readonly type: 'room.loaded' }
  | { readonly type: 'load.ended'; readonly outcome: Result<void, AppError> };

export interface PeriodContext {
  readonly period: Period;
  /** Undefined until it was read. */
  readonly coverage: PeriodCoverage | undefined;
  /** Consecutive checks that found as many rooms, and as many of them missing, as before. */
  readonly unchanged: number;
  /** Rooms loaded, and to load, since the last request. */
  readonly loaded: number;
  readonly toLoad: number;
  readonly error: AppError | undefined;
}

type PeriodPorts = Pick<Ports, 'realtime' | 'environment' | 'clientLog'>;
interface LoadInput {
  readonly since: Timetoken;
  readonly rooms: readonly RoomKey[];
}

/** Interval of coverage checks, since the coverage changes with the stream, ms. */
const CHECK_EVERY_MS = 30_000;
/**
 * The first check after one that found rooms missing, which may be prefetched meanwhile, or no room
 * yet, ms.
 */
const CHECK_SOON_MS = 1000;

/** Loads the rooms, a few at a time, until it is stopped. */
const loadRooms = (ports: PeriodPorts, store: Store, revalidateSession: () => void) =>
  fromCallback<PeriodSignal, LoadInput>(({ sendBack, input: { rooms, since } }) => {
    const controller = new AbortController();
    const { signal } = controller;
    const send = (event: PeriodSignal): void => {
      if (!signal.aborted) sendBack(event);
    };
    const load = async (): Promise<void> => {
      try {
        const reader = new RoomReader(CATCH_UP_CONCURRENCY);
        const { error } = await reader.read(rooms, signal, async (room) => {
          const outcome = await loadRoomSince(ports, store, { room, since }, signal);
          if (outcome.ok) send({ type: 'room.loaded' });
          return outcome;
        });
        if (error?.kind === 'unauthenticated') {
          ports.realtime.renewToken();
          revalidateSession();
        }
        send({ type: 'load.ended', outcome: error === undefined ? ok(undefined) : fail(error) });
      } catch (error) {
        reportThrown(ports.clientLog, 'loadRooms', error);
        send({ type: 'load.ended', outcome: fail({ kind: 'unreachable' }) });
      }
    };
    void load();
    return () => controller.abort();
  });

const setupPeriod = (ports: PeriodPorts, store: Store, revalidateSession: () => void) =>
  setup({
    types: {
      context: {} as PeriodContext,
      events: {} as PeriodSignal,
      input: {} as Period,
    },
    actors: {
      findCoverage: fromPromise<Result<PeriodCoverage, AppError>, Period>(({ input }) =>
        findPeriodCoverage(store, input),
      ),
      loadRooms: loadRooms(ports, store, revalidateSession),
      watchEnvironment: watchEnvironment(ports.environment),
    },
    actions: {
      keepCoverage: assign(({ context }, coverage: PeriodCoverage) => {
        const isSame =
          coverage.missing.length === context.coverage?.missing.length &&
          coverage.rooms === context.coverage.rooms;
        const unchanged = isSame ? context.unchanged : 0;
        const error = coverage.missing.length === 0 ? undefined : context.error;
        return { coverage, unchanged, error };
      }),
      countCheck: assign({ unchanged: ({ context }) => context.unchanged + 1 }),
      beginLoading: assign({
        loaded: 0,
        toLoad: ({ context }) => context.coverage?.missing.length ?? 0,
        error: undefined,
      }),
      countRoom: assign({ loaded: ({ context }) => context.loaded + 1 }),
      keepError: assign((_, outcome: Result<void, AppError>) => ({
        error: outcome.ok ? undefined : outcome.error,
      })),
      reportFailure: reportFailure(ports),
    },
    guards: {
      hasFailed,
      isIncomplete: ({ context }) => (context.coverage?.missing.length ?? 0) > 0,
      isInterrupted: ({ context }) => context.error !== undefined,
    },
    delays: {
      storageLimit: STORAGE_LIMIT_MS,
      checkDelay: ({ context: { coverage, unchanged } }) =>
        coverage === undefined || (coverage.rooms > 0 && coverage.missing.length === 0)
          ? CHECK_EVERY_MS
          : Math.min(CHECK_EVERY_MS, CHECK_SOON_MS * 2 ** unchanged),
    },
  });

/**
 * The coverage of a period's messages on this device, and the loading of missing ones. A failed
 * load resumes when the network returns or the page is shown. `revalidateSession` is called when a
 * request was answered 401.
 */
export const createPeriodMachine = (
  ports: PeriodPorts,
  store: Store,
  revalidateSession: () => void,
) =>
  setupPeriod(ports, store, revalidateSession).createMachine({
    id: 'period',
    context: ({ input }) => ({
      period: input,
      coverage: undefined,
      unchanged: 0,
      loaded: 0,
      toLoad: 0,
      error: undefined,
    }),
    invoke: { src: 'watchEnvironment' },
    initial: 'checking',
    states: {
      checking: {
        entry: 'countCheck',
        invoke: {
          src: 'findCoverage',
          input: ({ context }) => context.period,
          onDone: [
            { guard: 'hasFailed', target: 'idle' },
            { target: 'idle', actions: { type: 'keepCoverage', params: toValue } },
          ],
          onError: { target: 'idle', actions: 'reportFailure' },
        },
        after: { storageLimit: { target: 'idle', actions: 'reportFailure' } },
        on: {
          'load.requested': { guard: 'isIncomplete', target: 'loading' },
          'network.returned': { guard: 'isInterrupted', target: 'loading' },
          'page.shown': { guard: 'isInterrupted', target: 'loading' },
        },
      },
      idle: {
        after: { checkDelay: 'checking' },
        on: {
          'load.requested': { guard: 'isIncomplete', target: 'loading' },
          'network.returned': { guard: 'isInterrupted', target: 'loading' },
          'page.shown': [{ guard: 'isInterrupted', target: 'loading' }, 'checking'],
        },
      },
      loading: {
        entry: 'beginLoading',
        invoke: {
          src: 'loadRooms',
          input: ({ context: { period, coverage } }) => ({
            since: period.since,
            rooms: coverage?.missing ?? [],
          }),
        },
        on: {
          'room.loaded': { actions: 'countRoom' },
          'stop.requested': 'checking',
          'load.ended': {
            target: 'checking',
            actions: { type: 'keepError', params: ({ event }) => event.outcome },
          },
        },
      },
    },
  });

type PeriodMachine = ReturnType<typeof createPeriodMachine>;

export const selectPeriod = (snapshot: SnapshotFrom<PeriodMachine>) => ({
  coverage: snapshot.context.coverage,
  loaded: snapshot.context.loaded,
  toLoad: snapshot.context.toLoad,
  error: snapshot.context.error,
  isLoading: snapshot.matches('loading'),
});
