import {
  CATCH_UP_EVERY_MS,
  CONNECT_RETRY_MAX_MS,
  CONNECT_RETRY_MIN_MS,
  OFFLINE_PROBE_MAX_MS,
  STREAM_WATCHDOG_MS,
} from '#domain/limits.ts';
import type { Ports } from '#domain/ports.ts';
import { toRetryDelay } from '#domain/rules/retry-delay.ts';
import { assign } from 'xstate';

import { catchUp } from './catch-up.ts';
import { connectionMachine, type ConnectionSignal } from './connection.machine.ts';
import { CONNECTION_PROOF_MS } from './limits.ts';
import type { LeaderInput } from './room-sender.machine.ts';
import { prefetchRooms } from './prefetch-rooms.ts';
import { runStream } from './run-stream.ts';
import { fromTask } from './task.ts';
import { watchSurroundings } from './watch-surroundings.ts';

const RETRY = { minMs: CONNECT_RETRY_MIN_MS, maxMs: CONNECT_RETRY_MAX_MS };
const PROBE = { minMs: CONNECT_RETRY_MIN_MS, maxMs: OFFLINE_PROBE_MAX_MS };

const provideActors = (ports: Ports) => ({
  runStream: runStream(ports),
  catchUp: fromTask(async (leader: LeaderInput, cancel): Promise<ConnectionSignal> => {
    const caught = await catchUp(ports, leader, cancel);
    if (caught.ok) return { type: 'catchup.done' };
    if (caught.error.kind === 'fenced') return { type: 'store.fenced' };
    return caught.error.kind === 'unauthenticated'
      ? { type: 'catchup.refused' }
      : { type: 'catchup.failed' };
  }),
  prefetch: prefetchRooms(ports),
  watchSurroundings: watchSurroundings(ports.surroundings),
});

/** The connection machine with its real actors. */
export const provideConnection = (ports: Ports) =>
  connectionMachine.provide({
    actors: provideActors(ports),
    actions: {
      planRetry: assign(({ context }) => {
        const limits = ports.surroundings.isOnline() ? RETRY : PROBE;
        const delay = toRetryDelay(context.attempt - 1, limits, ports.random);
        return { retryAt: ports.clock.now() + delay };
      }),
      renewToken: () => ports.realtime.renewToken(),
    },
    guards: {
      isOffline: () => !ports.surroundings.isOnline(),
      isHidden: () => !ports.surroundings.isVisible(),
    },
    delays: {
      untilRetry: ({ context }) => Math.max(0, context.retryAt - ports.clock.now()),
      catchUpRetry: ({ context }) => toRetryDelay(context.attempt, RETRY, ports.random),
      watchdog: STREAM_WATCHDOG_MS,
      catchUpEvery: CATCH_UP_EVERY_MS,
      proof: CONNECTION_PROOF_MS,
    },
  });
