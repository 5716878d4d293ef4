import type { Fact } from '#domain/events.ts';
import type { OutboxItem } from '#domain/project/rows.ts';
import type { Store } from '#domain/ports/storage.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { Timetoken } from '#domain/timetoken.ts';
import { assertEvent, assign, sendTo, setup } from 'xstate';

import { revalidateSession } from '../kit/revalidate-session.ts';
import { findParent } from '../kit/find-parent.ts';
import { missing, missingTask } from '../kit/task.ts';

export type RoomSenderSignal =
  | { readonly type: 'item.found'; readonly item: OutboxItem }
  | { readonly type: 'item.missing' }
  | { readonly type: 'item.failed' }
  /** On a full disk the queue cannot be read, or what is tried not be noted. */
  | { readonly type: 'storage.full' }
  | { readonly type: 'publish.accepted'; readonly timetoken: Timetoken }
  /** An earlier try had arrived, or the author deleted the message: it is out of the queue. */
  | { readonly type: 'publish.found' }
  /** For good; `reason` is shown to the author, `at` is ms since the epoch. */
  | { readonly type: 'publish.rejected'; readonly reason: string; readonly at: number }
  /** 401 or 403. */
  | { readonly type: 'publish.unauthorized' }
  /** The same request may succeed later, not before `retryAfterMs`. */
  | { readonly type: 'publish.deferred'; readonly retryAfterMs: number }
  | { readonly type: 'record.kept' }
  | { readonly type: 'record.failed' }
  | { readonly type: 'record.fenced' }
  /** The queue changed; `activeRoomCount` rooms have something to send. */
  | { readonly type: 'queue.changed'; readonly activeRoomCount: number }
  /** The engine is reached, whatever the browser says of the network. */
  | { readonly type: 'connection.restored' }
  | { readonly type: 'connection.lost' }
  /** Another room's message went through, or the user wants another try. */
  | { readonly type: 'sending.resume' }
  | { readonly type: 'network.returned' }
  | { readonly type: 'network.lost' };

export interface LeaderInput {
  readonly store: Store;
  readonly uid: string;
  /** Fencing token of this leader. */
  readonly fence: number;
}

export interface RoomSenderInput extends LeaderInput {
  readonly room: RoomKey;
  /** How many rooms have something to send. */
  readonly activeRoomCount: number;
  /** Whether the engine is reached, as the outbox was told last. */
  readonly linked: boolean;
}

export interface RoomSenderContext extends RoomSenderInput {
  readonly item: OutboxItem | undefined;
  /** What became of the item, until it is stored. */
  readonly outcome: Fact | undefined;
  /** Failures in a row. */
  readonly attempt: number;
  readonly retryAfterMs: number;
}

export interface PublishInput {
  readonly leader: LeaderInput;
  readonly item: OutboxItem;
  /** Get a new token first. */
  readonly renew: boolean;
}

export interface RecordInput {
  readonly store: Store;
  readonly fence: number;
  readonly outcome: Fact | undefined;
}

/**
 * Sends the queue of one room in order, one message at a time. A passing failure repeats
 * the same id without limit; a refusal for good is recorded and the next one goes on.
 */
export const roomSenderMachine = setup({
  types: {
    context: {} as RoomSenderContext,
    events: {} as RoomSenderSignal,
    input: {} as RoomSenderInput,
  },
  actors: {
    findNext: missingTask<RoomSenderInput>('findNext'),
    publish: missingTask<PublishInput>('publish'),
    record: missingTask<RecordInput>('record'),
  },
  actions: {
    keepItem: assign(({ event }) => {
      assertEvent(event, 'item.found');
      return { item: event.item };
    }),
    keepPublished: assign(({ context, event }) => {
      assertEvent(event, 'publish.accepted');
      const { id, room, uid } = mustHaveItem(context);
      const { timetoken } = event;
      return { attempt: 0, outcome: { type: 'v1.MessagePublished', id, room, uid, timetoken } };
    }),
    keepFailed: assign(({ context, event }) => {
      assertEvent(event, 'publish.rejected');
      const { id, room } = mustHaveItem(context);
      const { reason, at } = event;
      return { attempt: 0, outcome: { type: 'v1.PublishFailed', id, room, reason, at } };
    }),
    keepRetryAfter: assign(({ event }) => ({
      retryAfterMs: event.type === 'publish.deferred' ? event.retryAfterMs : 0,
    })),
    keepCrowd: assign(({ event }) => {
      assertEvent(event, 'queue.changed');
      return { activeRoomCount: event.activeRoomCount };
    }),
    keepLinked: assign(({ event }) => ({ linked: event.type === 'connection.restored' })),
    resetAttempts: assign({ attempt: 0 }),
    countAttempt: assign({ attempt: ({ context }) => context.attempt + 1 }),
    tellStarted: sendTo(findParent, ({ context }) => ({
      type: 'send.started',
      id: mustHaveItem(context).id,
    })),
    tellEnded: sendTo(findParent, ({ context }) => ({
      type: 'send.ended',
      id: mustHaveItem(context).id,
    })),
    tellAnswered: sendTo(findParent, ({ context }) => ({
      type: 'send.answered',
      room: context.room,
    })),
    tellDeferred: sendTo(findParent, ({ context }) => ({
      type: 'send.deferred',
      room: context.room,
    })),
    tellStorageFull: sendTo(findParent, ({ context }) => ({
      type: 'storage.full',
      room: context.room,
    })),
    tellEmptied: sendTo(findParent, ({ context }) => ({
      type: 'queue.emptied',
      room: context.room,
    })),
    tellFenced: sendTo(findParent, { type: 'sender.fenced' }),
    revalidateSession,
  },
  guards: {
    isOffline: missing('isOffline'),
    /** The engine asked for no pause. */
    mayHurry: ({ context }) => context.retryAfterMs === 0,
  },
  delays: { retryDelay: missing('retryDelay') },
}).createMachine({
  id: 'roomSender',
  context: ({ input }) => ({
    ...input,
    item: undefined,
    outcome: undefined,
    attempt: 0,
    retryAfterMs: 0,
  }),
  on: {
    'queue.changed': { actions: 'keepCrowd' },
    'connection.restored': { actions: 'keepLinked' },
    'connection.lost': { actions: 'keepLinked' },
  },
  initial: 'looking',
  states: {
    looking: {
      invoke: { src: 'findNext', input: ({ context }) => context },
      on: {
        'item.found': [
          { guard: 'isOffline', target: 'offline' },
          { target: 'sending', actions: 'keepItem' },
        ],
        'item.missing': 'idle',
        'item.failed': { target: 'waiting', actions: 'keepRetryAfter' },
        'storage.full': { target: 'waiting', actions: ['keepRetryAfter', 'tellStorageFull'] },
        'queue.changed': { target: 'looking', reenter: true, actions: 'keepCrowd' },
      },
    },
    idle: {
      entry: 'tellEmptied',
      on: { 'queue.changed': { target: 'looking', actions: 'keepCrowd' } },
    },
    sending: {
      entry: 'tellStarted',
      exit: 'tellEnded',
      on: {
        'publish.accepted': { target: 'recording', actions: ['keepPublished', 'tellAnswered'] },
        'publish.found': { target: 'looking', actions: ['resetAttempts', 'tellAnswered'] },
        'publish.rejected': { target: 'recording', actions: ['keepFailed', 'tellAnswered'] },
        'publish.deferred': { target: 'waiting', actions: ['keepRetryAfter', 'tellDeferred'] },
        'storage.full': { target: 'waiting', actions: ['keepRetryAfter', 'tellStorageFull'] },
        'record.fenced': 'fenced',
      },
      initial: 'first',
      states: {
        first: {
          invoke: { src: 'publish', input: ({ context }) => toPublishInput(context, false) },
          on: { 'publish.unauthorized': 'renewed' },
        },
        renewed: {
          invoke: { src: 'publish', input: ({ context }) => toPublishInput(context, true) },
          on: {
            'publish.unauthorized': {
              target: '#roomSender.waiting',
              actions: ['keepRetryAfter', 'revalidateSession', 'tellDeferred'],
            },
          },
        },
      },
    },
    recording: {
      invoke: { src: 'record', input: ({ context }) => context },
      on: {
        'record.kept': 'looking',
        'record.failed': { target: 'unrecorded', actions: 'keepRetryAfter' },
        'record.fenced': 'fenced',
      },
    },
    unrecorded: { entry: 'countAttempt', after: { retryDelay: 'recording' } },
    waiting: {
      entry: 'countAttempt',
      after: { retryDelay: 'looking' },
      on: {
        'connection.restored': { target: 'looking', actions: 'keepLinked' },
        'sending.resume': { guard: 'mayHurry', target: 'looking' },
        'network.returned': { guard: 'mayHurry', target: 'looking' },
        'network.lost': 'offline',
      },
    },
    offline: {
      on: {
        'connection.restored': { target: 'looking', actions: 'keepLinked' },
        'network.returned': 'looking',
      },
    },
    fenced: { type: 'final', entry: 'tellFenced' },
  },
});

function toPublishInput(context: RoomSenderContext, renew: boolean): PublishInput {
  return { leader: context, item: mustHaveItem(context), renew };
}

function mustHaveItem({ item }: RoomSenderContext): OutboxItem {
  if (item === undefined) throw new Error('Nothing is being sent');
  return item;
}
