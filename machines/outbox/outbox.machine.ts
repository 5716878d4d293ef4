import type { RoomKey } from '#domain/rooms.ts';
import { assertEvent, assign, enqueueActions, sendTo, setup, type SnapshotFrom } from 'xstate';

import { findParent } from '../kit/find-parent.ts';
import { type LeaderInput, roomSenderMachine } from './room-sender.machine.ts';
import { missingTask } from '../kit/task.ts';
import type { StoreInput } from '../teams/teams.machine.ts';

export type OutboxSignal =
  /** Rooms with queued messages. */
  | { readonly type: 'queue.changed'; readonly rooms: readonly RoomKey[] }
  | { readonly type: 'send.started'; readonly id: string }
  | { readonly type: 'send.ended'; readonly id: string }
  /** The engine said yes or no to a message of this room. */
  | { readonly type: 'send.answered'; readonly room: RoomKey }
  /** A message of this room could not be sent and will be tried again. */
  | { readonly type: 'send.deferred'; readonly room: RoomKey }
  /** The full disk, not the engine, keeps this room's messages from being sent. */
  | { readonly type: 'storage.full'; readonly room: RoomKey }
  /** Nothing is left to send in this room. */
  | { readonly type: 'queue.emptied'; readonly room: RoomKey }
  | { readonly type: 'sender.fenced' }
  | { readonly type: 'retry.requested' }
  | { readonly type: 'connection.restored' }
  | { readonly type: 'connection.lost' }
  | { readonly type: 'network.returned' }
  | { readonly type: 'network.lost' };

export interface OutboxContext extends LeaderInput {
  /** Rooms that have a sender; it stays, idle, when the room's queue is empty. */
  readonly senders: ReadonlySet<RoomKey>;
  /** Whether the engine is reached. */
  readonly linked: boolean;
  /** Ids of the messages being sent right now, at most one per room. */
  readonly inFlight: ReadonlySet<string>;
  /** Rooms whose last try failed since the engine was reached. */
  readonly blockedRooms: ReadonlySet<RoomKey>;
}

const NONE: ReadonlySet<string> = new Set();
const NONE_BLOCKED: ReadonlySet<RoomKey> = new Set();

/** Drains the queues: one sender per room that ever had something to send, in parallel. */
export const outboxMachine = setup({
  types: {
    context: {} as OutboxContext,
    events: {} as OutboxSignal,
    input: {} as LeaderInput,
  },
  actors: {
    watchQueue: missingTask<StoreInput>('watchQueue'),
    watchEnvironment: missingTask('watchEnvironment'),
    roomSender: roomSenderMachine,
  },
  actions: {
    ensureSenders: enqueueActions(({ context, event, enqueue }) => {
      assertEvent(event, 'queue.changed');
      const { store, uid, fence, senders, linked } = context;
      const activeRoomCount = event.rooms.length;
      for (const room of event.rooms) {
        if (senders.has(room)) enqueue.sendTo(room, { type: 'queue.changed', activeRoomCount });
        else
          enqueue.spawnChild('roomSender', {
            id: room,
            input: { store, uid, fence, room, activeRoomCount, linked },
          });
      }
      enqueue.assign({ senders: new Set([...senders, ...event.rooms]) });
    }),
    tellSenders: enqueueActions(({ context, event, enqueue }) => {
      for (const room of context.senders) enqueue.sendTo(room, event);
    }),
    keepLinked: assign(({ event }) => ({
      linked: event.type === 'connection.restored',
      blockedRooms: NONE_BLOCKED,
    })),
    keepHeld: assign(({ context, event }) => {
      assertEvent(event, 'send.deferred');
      return { blockedRooms: new Set([...context.blockedRooms, event.room]) };
    }),
    dropHeld: assign(({ context, event }) => {
      assertEvent(event, ['send.answered', 'storage.full', 'queue.emptied']);
      return {
        blockedRooms: new Set([...context.blockedRooms].filter((room) => room !== event.room)),
      };
    }),
    wakeSenders: enqueueActions(({ context, enqueue }) => {
      for (const room of context.blockedRooms) enqueue.sendTo(room, { type: 'sending.resume' });
    }),
    tellAnswered: sendTo(findParent, { type: 'engine.answered' }),
    keepStarted: assign(({ context, event }) => {
      assertEvent(event, 'send.started');
      return { inFlight: new Set([...context.inFlight, event.id]) };
    }),
    dropEnded: assign(({ context, event }) => {
      assertEvent(event, 'send.ended');
      return { inFlight: new Set([...context.inFlight].filter((id) => id !== event.id)) };
    }),
    tellFenced: sendTo(findParent, { type: 'leader.fenced' }),
  },
}).createMachine({
  id: 'outbox',
  context: ({ input }) => ({
    ...input,
    senders: new Set(),
    linked: false,
    inFlight: new Set(),
    blockedRooms: NONE_BLOCKED,
  }),
  invoke: [{ src: 'watchQueue', input: ({ context }) => context }, { src: 'watchEnvironment' }],
  initial: 'draining',
  states: {
    draining: {
      on: {
        'queue.changed': { actions: 'ensureSenders' },
        'send.started': { actions: 'keepStarted' },
        'send.ended': { actions: 'dropEnded' },
        'send.deferred': { actions: 'keepHeld' },
        'send.answered': { actions: ['dropHeld', 'wakeSenders', 'tellAnswered'] },
        'storage.full': { actions: 'dropHeld' },
        'queue.emptied': { actions: 'dropHeld' },
        'retry.requested': { actions: 'wakeSenders' },
        'connection.restored': { actions: ['keepLinked', 'tellSenders'] },
        'connection.lost': { actions: ['keepLinked', 'tellSenders'] },
        'network.returned': { actions: 'tellSenders' },
        'network.lost': { actions: 'tellSenders' },
        'sender.fenced': { target: 'fenced', actions: 'tellFenced' },
      },
    },
    fenced: {},
  },
});

/** Ids this tab is sending right now. */
export const selectSending = (
  snapshot: SnapshotFrom<typeof outboxMachine> | undefined,
): ReadonlySet<string> => snapshot?.context.inFlight ?? NONE;

/** Whether messages wait for the engine to accept them although it is reached. */
export const selectBlocked = ({ context }: SnapshotFrom<typeof outboxMachine>): boolean =>
  context.blockedRooms.size > 0;
