import { SEND_RETRY_MAX_MS, SEND_RETRY_MIN_MS } from '#domain/limits.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { toRetryDelay } from '#domain/rules/retry-delay.ts';
import { type EventObject, fromCallback } from 'xstate';

import { REQUEST_LIMIT_MS, PACING_THRESHOLD, STORAGE_LIMIT_MS } from '../kit/limits.ts';
import { outboxMachine, type OutboxSignal } from './outbox.machine.ts';
import {
  type PublishInput,
  type RecordInput,
  type RoomSenderInput,
  roomSenderMachine,
  type RoomSenderSignal,
} from './room-sender.machine.ts';
import { DEFERRED, sendItem, STORAGE_FULL } from './send-item.ts';
import { fromTask } from '../kit/task.ts';
import type { StoreInput } from '../teams/teams.machine.ts';
import { watchEnvironment } from '../kit/watch-environment.ts';

const RETRY = { minMs: SEND_RETRY_MIN_MS, maxMs: SEND_RETRY_MAX_MS };

const ITEM_FAILED: RoomSenderSignal = { type: 'item.failed' };
const RECORD_FAILED: RoomSenderSignal = { type: 'record.failed' };

/** Requests that one more try costs: where it has to be looked up first, two. */
const countRequests = ({ realtime }: Ports): number => (realtime.idempotent ? 1 : 2);

/** The sender of one room with its real actors. */
export const provideRoomSender = (ports: Ports) =>
  roomSenderMachine.provide({
    actors: {
      findNext: fromTask(
        ports,
        { name: 'findNext', limitMs: STORAGE_LIMIT_MS, toFailure: () => ITEM_FAILED },
        async ({ store, room }: RoomSenderInput): Promise<RoomSenderSignal> => {
          const next = await store.findNextQueued(room);
          if (!next.ok) return next.error.kind === 'quota' ? STORAGE_FULL : ITEM_FAILED;
          return next.value === undefined
            ? { type: 'item.missing' }
            : { type: 'item.found', item: next.value };
        },
      ),
      publish: fromTask(
        ports,
        { name: 'publish', limitMs: REQUEST_LIMIT_MS, toFailure: () => DEFERRED },
        (input: PublishInput, cancel) => sendItem(ports, input, cancel),
      ),
      record: fromTask(
        ports,
        { name: 'record', limitMs: STORAGE_LIMIT_MS, toFailure: () => RECORD_FAILED },
        async ({ store, fence, outcome }: RecordInput): Promise<RoomSenderSignal> => {
          const stored = await store.append(outcome === undefined ? [] : [outcome], fence);
          if (stored.ok) return { type: 'record.kept' };
          return stored.error.kind === 'fenced' ? { type: 'record.fenced' } : RECORD_FAILED;
        },
      ),
    },
    guards: { isOffline: ({ context }) => !context.linked && !ports.environment.isOnline() },
    delays: {
      retryDelay: ({ context: { attempt, activeRoomCount, retryAfterMs } }) =>
        Math.max(
          retryAfterMs,
          toRetryDelay(attempt - 1, RETRY, ports.random) *
            Math.max(1, (activeRoomCount * countRequests(ports)) / PACING_THRESHOLD),
        ),
    },
  });

/** The outbox with its real actors. */
export const provideOutbox = (ports: Ports) =>
  outboxMachine.provide({
    actors: {
      watchQueue: fromCallback<EventObject, StoreInput>(({ input, sendBack }) =>
        input.store.watchQueuedRooms((rooms) =>
          sendBack({ type: 'queue.changed', rooms } satisfies OutboxSignal),
        ),
      ),
      watchEnvironment: watchEnvironment(ports.environment),
      roomSender: provideRoomSender(ports),
    },
  });
