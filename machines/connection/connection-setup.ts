import type { AppError } from '#domain/errors.ts';
import {
  CATCH_UP_EVERY_MS,
  CONNECT_RETRY_MIN_MS,
  OFFLINE_PROBE_MAX_MS,
  STREAM_WATCHDOG_MS,
} from '#domain/limits.ts';
import type { LinkCause } from '#domain/link-status.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Result } from '#domain/result.ts';
import { toRetryDelay } from '#domain/rules/retry-delay.ts';
import { laterOf, type Timetoken, TIMETOKEN_ZERO } from '#domain/timetoken.ts';
import { type AnyStateMachine, assign, type DoneActorEvent, fromPromise, setup } from 'xstate';

import {
  findFailure,
  hasFailed,
  isFenced,
  reportFailure,
  findRequestedDelay,
} from '../kit/answer.ts';
import type { LeaderInput } from '../kit/inputs.ts';
import {
  CATCH_UP_LIMIT_MS,
  CATCH_UP_RETRY,
  CONNECT_RETRY,
  CONNECTION_STABLE_MS,
} from '../kit/leader-limits.ts';
import { CATCH_UP_CONCURRENCY, CATCH_UP_ROUNDS_MAX } from '../kit/limits.ts';
import { renewToken } from '../kit/renew-token.ts';
import { revalidateSession } from '../kit/revalidate-session.ts';
import { type EnvironmentSignal, watchEnvironment } from '../kit/watch-environment.ts';
import { createMarkLogMachine } from '../mark-log/mark-log.machine.ts';
import { prefetchRooms } from './prefetch-rooms.ts';
import { mayBeOfOneRoom, RoomReader } from './read-rooms.ts';
import { runStream, type StreamInput } from './run-stream.ts';
import type { StreamReport } from './stream-report.ts';

/** How a catch-up ended. */
export type CaughtUp = Result<unknown, AppError>;

export type ConnectionSignal =
  | StreamReport
  | EnvironmentSignal
  | DoneActorEvent<CaughtUp, 'catchUp'>
  /** The engine answered a publish. */
  | { readonly type: 'engine.answered' }
  | { readonly type: 'retry.requested' };

export interface ConnectionContext extends LeaderInput {
  /** Where the stream resumes. */
  readonly cursor: Timetoken | undefined;
  /** The end of the logs when this tab's first stream began. */
  readonly began: Timetoken | undefined;
  /** Consecutive connections that did not last. */
  readonly attempt: number;
  /** The first catch-up since the stream opened has neither ended nor failed too often. */
  readonly catchingUp: boolean;
  /** Consecutive failed catch-ups, across connections. */
  readonly catchUpFailures: number;
  /** The delay that the engine requested after the last failure, ms. */
  readonly catchUpPauseMs: number;
  /** ms since the epoch of the next attempt, while waiting */
  readonly retryAt: number;
  /** Why the last stream ended, if known. */
  readonly cause: LinkCause | undefined;
}

export type ConnectionPorts = Pick<
  Ports,
  'clock' | 'random' | 'realtime' | 'environment' | 'clientLog' | 'ids'
>;

const PROBE = { minMs: CONNECT_RETRY_MIN_MS, maxMs: OFFLINE_PROBE_MAX_MS };

const toActors = (ports: ConnectionPorts) => {
  // Its full type would exceed what the compiler can write out for the machines around it.
  const markLog: AnyStateMachine = createMarkLogMachine(ports);
  const reader = new RoomReader(CATCH_UP_CONCURRENCY);
  return {
    runStream: runStream(ports),
    catchUp: fromPromise<CaughtUp, StreamInput>(async ({ input, signal }) => {
      // Loaded once the stream is open: after the first paint.
      const { catchUp } = await import('./catch-up.ts');
      return catchUp(ports, input, reader, signal);
    }),
    prefetch: prefetchRooms(ports),
    markLog,
    watchEnvironment: watchEnvironment(ports.environment),
  };
};

/** Signals, actors, actions, guards and delays of the connection. */
export const setupConnection = (ports: ConnectionPorts) =>
  setup({
    types: {
      context: {} as ConnectionContext,
      events: {} as ConnectionSignal,
      input: {} as LeaderInput,
    },
    actors: toActors(ports),
    actions: {
      keepCursor: assign(({ context }, cursor: Timetoken) => ({
        cursor: laterOf(context.cursor ?? TIMETOKEN_ZERO, cursor),
      })),
      keepBeginning: assign(({ context }, at: Timetoken) => ({ began: context.began ?? at })),
      rewindCursor: assign((_, cursor: Timetoken) => ({ cursor })),
      keepCause: assign(({ event }) => ({
        cause: event.type === 'stream.ended' ? event.cause : undefined,
      })),
      countAttempt: assign({ attempt: ({ context }) => context.attempt + 1 }),
      resetAttempts: assign({ attempt: 0 }),
      countCatchUpFailure: assign(({ context, event }) => {
        const failure = findFailure(event);
        const catchUpFailures = context.catchUpFailures + 1;
        // Messages that a full disk refuses are shown anyway.
        const isOver = failure?.kind === 'quota' || catchUpFailures >= CATCH_UP_ROUNDS_MAX;
        return {
          catchUpFailures,
          catchingUp: context.catchingUp && !isOver,
          catchUpPauseMs: findRequestedDelay(failure),
        };
      }),
      recordCatchUpBegun: assign({ catchingUp: true }),
      recordCatchUpEnded: assign({ catchingUp: false }),
      resetCatchUpFailures: assign({ catchUpFailures: 0 }),
      planRetry: assign(({ context, event }) => {
        const limits = ports.environment.isOnline() ? CONNECT_RETRY : PROBE;
        const delay = toRetryDelay(context.attempt - 1, limits, ports.random);
        const requestedMs = event.type === 'stream.ended' ? (event.retryAfterMs ?? 0) : 0;
        return { retryAt: ports.clock.now() + Math.max(delay, requestedMs) };
      }),
      renewToken: renewToken(ports),
      revalidateSession,
      reportFailure: reportFailure(ports),
    },
    guards: {
      isOffline: () => !ports.environment.isOnline(),
      /** Nothing says that the next stream would fail. */
      mayReconnect: ({ event }) =>
        ports.environment.isOnline() &&
        event.type === 'stream.ended' &&
        event.cause === undefined &&
        event.retryAfterMs === undefined,
      isHidden: () => !ports.environment.isVisible(),
      isFenced,
      /** A new token may be accepted at once. */
      isFirstRefusal: ({ context, event }) =>
        context.catchUpFailures === 0 && findFailure(event)?.kind === 'unauthenticated',
      isRefused: ({ event }) => findFailure(event)?.kind === 'unauthenticated',
      /** Other rooms may be read before the next attempt. */
      canPrefetch: ({ context, event }) => {
        const failure = findFailure(event);
        const isLate = context.catchUpFailures + 1 >= CATCH_UP_ROUNDS_MAX;
        return isLate && failure !== undefined && mayBeOfOneRoom(failure);
      },
      hasFailed,
      hasSucceeded: ({ event }) => !hasFailed({ event }),
    },
    delays: {
      untilRetry: ({ context }) => Math.max(0, context.retryAt - ports.clock.now()),
      catchUpRetry: ({ context: { catchUpFailures, catchUpPauseMs } }) =>
        Math.max(catchUpPauseMs, toRetryDelay(catchUpFailures - 1, CATCH_UP_RETRY, ports.random)),
      catchUpLimit: CATCH_UP_LIMIT_MS,
      watchdog: STREAM_WATCHDOG_MS,
      catchUpEvery: CATCH_UP_EVERY_MS,
      stabilityDelay: CONNECTION_STABLE_MS,
    },
  });

export type ConnectionSetup = ReturnType<typeof setupConnection>;
