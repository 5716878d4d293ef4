import type { AppError } from '#domain/errors.ts';
import type { Fact } from '#domain/events.ts';
import type { OutboxItem } from '#domain/project/rows.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { ok, type Result } from '#domain/result.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { assign, fromPromise, sendTo, setup } from 'xstate';

import { type LinkSignal, watchLink } from '../connection/link.ts';
import {
  findFailure,
  hasFailed,
  isFenced,
  reportFailure,
  findRequestedDelay,
  toValue,
} from '../kit/answer.ts';
import { findParent } from '../kit/from-subscription.ts';
import type { LeaderInput } from '../kit/inputs.ts';
import { REQUEST_LIMIT_MS, STORAGE_LIMIT_MS } from '../kit/limits.ts';
import { revalidateSession } from '../kit/revalidate-session.ts';
import { type EnvironmentSignal, watchEnvironment } from '../kit/watch-environment.ts';
import type { AppendFact } from './group-appends.ts';
import {
  isRefused,
  sendItem,
  type SendInput,
  type SendOutcome,
  toPauseMs,
  toSendInput,
  toUnsettledMs,
} from './send-item.ts';

export type RoomSenderSignal =
  | EnvironmentSignal
  | LinkSignal
  | { readonly type: 'queue.changed'; readonly activeRoomCount: number }
  /** Another room's message was answered, or the user wants a retry. */
  | { readonly type: 'sending.resume' };

/** Reported to the outbox: the engine accepted or refused a message. */
export interface SenderReport {
  readonly type: 'send.answered';
}

export interface RoomSenderInput extends LeaderInput {
  readonly room: RoomKey;
  /** Number of rooms with queued messages. */
  readonly activeRoomCount: number;
  /** Stores the outcome of a message. */
  readonly append: AppendFact;
}

export interface RoomSenderContext extends RoomSenderInput {
  readonly item: OutboxItem | undefined;
  /** When this sender's last attempt failed, ms since the epoch. */
  readonly failedAt: number | undefined;
  /** The outcome of the item, until it is stored. */
  readonly fact: Fact | undefined;
  /** Consecutive failures. */
  readonly attempt: number;
  /** The delay that the engine requested, ms. */
  readonly retryAfterMs: number;
  /** Whether the engine is reachable. */
  readonly linked: boolean;
  /** The last attempt failed since the engine was reachable, and not because of a full disk. */
  readonly blocked: boolean;
}

export type RoomSenderPorts = Pick<
  Ports,
  'clock' | 'random' | 'realtime' | 'environment' | 'clientLog'
>;

const toActors = (ports: RoomSenderPorts) => ({
  findNext: fromPromise(async ({ input }: { readonly input: RoomSenderInput }) =>
    input.store.findNextQueued(input.room),
  ),
  send: fromPromise<SendOutcome, SendInput>(({ input, signal }) => sendItem(ports, input, signal)),
  record: fromPromise<Result<number, AppError>, RoomSenderContext>(
    async ({ input: { fact, append } }) => (fact ? append(fact) : ok(0)),
  ),
  watchLink,
  watchEnvironment: watchEnvironment(ports.environment),
});

const setupRoomSender = (ports: RoomSenderPorts) =>
  setup({
    types: {
      context: {} as RoomSenderContext,
      events: {} as RoomSenderSignal,
      input: {} as RoomSenderInput,
    },
    actors: toActors(ports),
    actions: {
      keepItem: assign((_, item: OutboxItem | undefined) => ({ item })),
      keepAnswer: assign((_, fact: Fact | undefined) => ({ attempt: 0, blocked: false, fact })),
      keepFailure: assign(({ event }) => {
        const failure = findFailure(event);
        return {
          blocked: failure?.kind !== 'quota',
          retryAfterMs: findRequestedDelay(failure),
          failedAt: ports.clock.now(),
        };
      }),
      recordReadFailure: assign(({ context, event }) => ({
        blocked: context.blocked && findFailure(event)?.kind !== 'quota',
      })),
      keepActiveRoomCount: assign(({ event }) =>
        event.type === 'queue.changed' ? { activeRoomCount: event.activeRoomCount } : {},
      ),
      keepLinked: assign(({ event }) => ({
        linked: event.type === 'connection.restored',
        blocked: false,
      })),
      countAttempt: assign({ attempt: ({ context }) => context.attempt + 1 }),
      endPause: assign({ retryAfterMs: 0 }),
      unblock: assign({ blocked: false }),
      notifyAnswered: sendTo(findParent<SenderReport>, { type: 'send.answered' }),
      revalidateSession,
      reportFailure: reportFailure(ports),
    },
    guards: {
      isOffline: ({ context }) => !context.linked && !ports.environment.isOnline(),
      isMissing: (_, item: OutboxItem | undefined) => item === undefined,
      isSettled: ({ context }) => toUnsettledMs(ports, context) === 0,
      hasFailed,
      isRefused: ({ event }) => isRefused(findFailure(event)),
      isFenced,
      /** The engine requested no delay. */
      mayRetryEarly: ({ context }) => context.retryAfterMs === 0,
    },
    delays: {
      storageLimit: STORAGE_LIMIT_MS,
      requestLimit: REQUEST_LIMIT_MS,
      retryDelay: ({ context }) => toPauseMs(ports, context),
      untilSettled: ({ context }) => toUnsettledMs(ports, context),
    },
  });

type RoomSenderSetup = ReturnType<typeof setupRoomSender>;

const toSending = (sender: RoomSenderSetup) =>
  sender.createStateConfig({
    invoke: {
      src: 'send',
      input: ({ context }) => toSendInput(context),
      onDone: [
        { guard: 'isFenced', target: 'fenced' },
        { guard: 'isRefused', target: 'waiting', actions: ['keepFailure', 'revalidateSession'] },
        { guard: 'hasFailed', target: 'waiting', actions: 'keepFailure' },
        {
          target: 'recording',
          actions: [{ type: 'keepAnswer', params: toValue }, 'notifyAnswered'],
        },
      ],
      onError: { target: 'waiting', actions: ['reportFailure', 'keepFailure'] },
    },
    after: { requestLimit: { target: 'waiting', actions: ['reportFailure', 'keepFailure'] } },
  });

const toRecording = (sender: RoomSenderSetup) =>
  sender.createStateConfig({
    invoke: {
      src: 'record',
      input: ({ context }) => context,
      onDone: [
        { guard: 'isFenced', target: 'fenced' },
        { guard: 'hasFailed', target: 'recordFailed' },
        { target: 'readingQueue' },
      ],
      onError: { target: 'recordFailed', actions: 'reportFailure' },
    },
    after: { storageLimit: { target: 'recordFailed', actions: 'reportFailure' } },
  });

const READ_QUEUE = { target: 'readingQueue', actions: 'keepActiveRoomCount' } as const;

/**
 * Sends the queue of one room in order, one message at a time. A transient failure repeats the
 * same id without limit; a permanent refusal is recorded, and the next message is sent.
 */
export const createRoomSenderMachine = (ports: RoomSenderPorts) => {
  const sender = setupRoomSender(ports);
  return sender.createMachine({
    id: 'roomSender',
    context: ({ input }) => ({
      ...input,
      item: undefined,
      failedAt: undefined,
      fact: undefined,
      attempt: 0,
      retryAfterMs: 0,
      linked: false,
      blocked: false,
    }),
    invoke: [{ src: 'watchLink' }, { src: 'watchEnvironment' }],
    on: {
      'queue.changed': { actions: 'keepActiveRoomCount' },
      'connection.restored': { actions: 'keepLinked' },
      'connection.lost': { actions: 'keepLinked' },
    },
    initial: 'readingQueue',
    states: {
      readingQueue: {
        invoke: {
          src: 'findNext',
          input: ({ context }) => context,
          onDone: [
            { guard: 'hasFailed', target: 'waiting', actions: 'recordReadFailure' },
            { guard: { type: 'isMissing', params: toValue }, target: 'idle' },
            { guard: 'isOffline', target: 'offline' },
            { target: 'settling', actions: { type: 'keepItem', params: toValue } },
          ],
          onError: { target: 'waiting', actions: 'reportFailure' },
        },
        after: { storageLimit: { target: 'waiting', actions: 'reportFailure' } },
        on: { 'queue.changed': { ...READ_QUEUE, reenter: true } },
      },
      idle: { entry: 'unblock', on: { 'queue.changed': READ_QUEUE } },
      settling: {
        always: { guard: 'isSettled', target: 'sending' },
        after: { untilSettled: 'sending' },
      },
      sending: toSending(sender),
      recording: toRecording(sender),
      recordFailed: { entry: 'countAttempt', after: { retryDelay: 'recording' } },
      waiting: {
        entry: 'countAttempt',
        exit: 'endPause',
        after: { retryDelay: 'readingQueue' },
        on: {
          'connection.restored': { target: 'readingQueue', actions: 'keepLinked' },
          'sending.resume': { guard: 'mayRetryEarly', target: 'readingQueue' },
          'network.returned': { guard: 'mayRetryEarly', target: 'readingQueue' },
          'network.lost': 'offline',
        },
      },
      offline: {
        on: {
          'connection.restored': { target: 'readingQueue', actions: 'keepLinked' },
          'network.returned': 'readingQueue',
        },
      },
      fenced: { type: 'final' },
    },
  });
};

export type RoomSenderMachine = ReturnType<typeof createRoomSenderMachine>;
