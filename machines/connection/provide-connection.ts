import {
  CATCH_UP_EVERY_MS,
  CONNECT_RETRY_MAX_MS,
  CONNECT_RETRY_MIN_MS,
  OFFLINE_PROBE_MAX_MS,
  STREAM_WATCHDOG_MS,
} from '#domain/limits.ts';
import type { AppError } from '#domain/errors.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { toRetryDelay } from '#domain/rules/retry-delay.ts';
import { assign } from 'xstate';

import { catchUp } from './catch-up.ts';
import { connectionMachine, type ConnectionSignal } from './connection.machine.ts';
import {
  CATCH_UP_LIMIT_MS,
  CATCH_UP_RETRY_MAX_MS,
  CATCH_UP_RETRY_MIN_MS,
  CATCH_UP_ROOMS_AT_ONCE,
  CONNECTION_PROOF_MS,
} from '../kit/limits.ts';
import type { LeaderInput } from '../outbox/room-sender.machine.ts';
import { prefetchRooms } from './prefetch-rooms.ts';
import { RoomReader } from './read-rooms.ts';
import { runStream } from './run-stream.ts';
import { fromTask, reportThrown } from '../kit/task.ts';
import { watchEnvironment } from '../kit/watch-environment.ts';

const RETRY = { minMs: CONNECT_RETRY_MIN_MS, maxMs: CONNECT_RETRY_MAX_MS };
const PROBE = { minMs: CONNECT_RETRY_MIN_MS, maxMs: OFFLINE_PROBE_MAX_MS };

const CATCH_UP = { minMs: CATCH_UP_RETRY_MIN_MS, maxMs: CATCH_UP_RETRY_MAX_MS };

/** What a failed catch-up means for the connection. */
const toCatchUpSignal = (error: AppError): ConnectionSignal => {
  if (error.kind === 'fenced') return { type: 'store.fenced' };
  if (error.kind === 'unauthenticated') return { type: 'catchup.refused' };
  const retryAfterMs = error.kind === 'limited' ? error.retryAfterMs : 0;
  return { type: 'catchup.failed', retryAfterMs };
};

const provideActors = (ports: Ports) => {
  const reader = new RoomReader(CATCH_UP_ROOMS_AT_ONCE);
  return {
    runStream: runStream(ports),
    catchUp: fromTask(
      ports,
      { name: 'catchUp', limitMs: CATCH_UP_LIMIT_MS, toFailure: toCatchUpSignal },
      async (leader: LeaderInput, cancel): Promise<ConnectionSignal> => {
        const caught = await catchUp(ports, leader, reader, cancel);
        return caught.ok ? { type: 'catchup.done' } : toCatchUpSignal(caught.error);
      },
    ),
    prefetch: prefetchRooms(ports),
    watchEnvironment: watchEnvironment(ports.environment),
  };
};

/** The connection machine with its real actors. */
export const provideConnection = (ports: Ports) =>
  connectionMachine.provide({
    actors: provideActors(ports),
    actions: {
      planRetry: assign(({ context }) => {
        const limits = ports.environment.isOnline() ? RETRY : PROBE;
        const delay = toRetryDelay(context.attempt - 1, limits, ports.random);
        return { retryAt: ports.clock.now() + delay };
      }),
      renewToken: () => {
        try {
          ports.realtime.renewToken();
        } catch (error) {
          reportThrown(ports.clientLog, 'renewToken', error);
        }
      },
    },
    guards: {
      isOffline: () => !ports.environment.isOnline(),
      isHidden: () => !ports.environment.isVisible(),
    },
    delays: {
      untilRetry: ({ context }) => Math.max(0, context.retryAt - ports.clock.now()),
      catchUpRetry: ({ context: { catchUpFailures, catchUpPauseMs } }) =>
        Math.max(catchUpPauseMs, toRetryDelay(catchUpFailures - 1, CATCH_UP, ports.random)),
      watchdog: STREAM_WATCHDOG_MS,
      catchUpEvery: CATCH_UP_EVERY_MS,
      proof: CONNECTION_PROOF_MS,
    },
  });
