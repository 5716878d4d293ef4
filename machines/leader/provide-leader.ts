import type { AppError } from '#domain/errors.ts';
import {
  CONNECT_RETRY_MAX_MS,
  CONNECT_RETRY_MIN_MS,
  LEADER_BEAT_MS,
  LEADER_STALE_MS,
} from '#domain/limits.ts';
import type { Locks } from '#domain/ports/browser.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { toRetryDelay } from '#domain/rules/retry-delay.ts';
import { type EventObject, fromCallback } from 'xstate';

import { leaderMachine } from './leader.machine.ts';
import type { BeatInput, LeaderSignal } from './leader-signal.ts';
import { LEADER_STALE_HIDDEN_MS, STORAGE_LIMIT_MS, STORAGE_PATIENCE_MS } from '../kit/limits.ts';
import { provideConnection } from '../connection/provide-connection.ts';
import { provideOutbox } from '../outbox/provide-outbox.ts';
import { provideRetention } from './retention.machine.ts';
import { fromTask, type Task } from '../kit/task.ts';
import type { StoreInput } from '../teams/teams.machine.ts';
import { watchEnvironment } from '../kit/watch-environment.ts';

const RETRY = { minMs: CONNECT_RETRY_MIN_MS, maxMs: CONNECT_RETRY_MAX_MS };

/** Queues for the lock of one user; `lock.steal` takes it by force. */
const holdLock = (locks: Locks): Task<{ readonly uid: string }> =>
  fromCallback<EventObject, { readonly uid: string }>(({ input, sendBack, receive }) => {
    const request = (steal: boolean) =>
      locks.request(`replay-desk-leader-${input.uid}`, {
        steal,
        onHeld: () => sendBack({ type: 'lock.held' } satisfies LeaderSignal),
        onLost: () => sendBack({ type: 'lock.lost' } satisfies LeaderSignal),
      });
    let release = request(false);
    receive(() => {
      release();
      release = request(true);
    });
    return () => release();
  });

const FENCE_FAILED: LeaderSignal = { type: 'fence.failed' };
const BEAT_DONE: LeaderSignal = { type: 'beat.done' };

/** Past its upper time the other tabs take this one for silent; a throw waits for the next beat. */
const toBeatFailure = ({ kind }: AppError): LeaderSignal =>
  kind === 'timeout' ? { type: 'beat.overdue' } : BEAT_DONE;

const provideActors = (ports: Ports) => ({
  lock: holdLock(ports.locks),
  watchLeader: fromCallback<EventObject, StoreInput>(({ input, sendBack }) =>
    input.store.watchLeader((row) => {
      if (row === undefined) return;
      const recent = ports.clock.now() - row.at < LEADER_STALE_MS;
      sendBack({ type: 'leader.seen', row, recent } satisfies LeaderSignal);
    }),
  ),
  watchSpace: fromCallback<EventObject, StoreInput>(({ input, sendBack }) =>
    input.store.watchSpace((isFull) =>
      sendBack({ type: 'space.changed', isFull } satisfies LeaderSignal),
    ),
  ),
  takeFence: fromTask(
    ports,
    { name: 'takeFence', limitMs: STORAGE_LIMIT_MS, toFailure: () => FENCE_FAILED },
    async ({ store }: StoreInput): Promise<LeaderSignal> => {
      const taken = await store.takeFence(ports.tabId, ports.clock.now());
      return taken.ok ? { type: 'fence.taken', fence: taken.value } : FENCE_FAILED;
    },
  ),
  beat: fromTask(
    ports,
    { name: 'beat', limitMs: LEADER_STALE_MS, toFailure: toBeatFailure },
    async ({ store, fence, link, cursor }: BeatInput): Promise<LeaderSignal> => {
      const beaten = await store.beat(fence, ports.clock.now(), link, cursor);
      const isFenced = !beaten.ok && beaten.error.kind === 'fenced';
      return isFenced ? { type: 'leader.fenced' } : BEAT_DONE;
    },
  ),
  watchEnvironment: watchEnvironment(ports.environment),
  connection: provideConnection(ports),
  outbox: provideOutbox(ports),
  retention: provideRetention(ports),
});

/** The leader machine, its connection and outbox with their real actors. */
export const provideLeader = (ports: Ports) =>
  leaderMachine.provide({
    actors: provideActors(ports),
    delays: {
      stale: () => (ports.environment.isVisible() ? LEADER_STALE_MS : LEADER_STALE_HIDDEN_MS),
      beatEvery: LEADER_BEAT_MS,
      storagePatience: STORAGE_PATIENCE_MS,
      retryDelay: () => toRetryDelay(0, RETRY, ports.random),
    },
  });
