import type { RoomKey } from '#domain/rooms.ts';
import { assign, type DoneActorEvent, enqueueActions, setup, type SnapshotFrom } from 'xstate';

import { type LinkSignal, notifyConnection, watchLink } from '../connection/link.ts';
import { fromSubscription } from '../kit/from-subscription.ts';
import type { LeaderInput } from '../kit/inputs.ts';
import { QUEUE_CHECK_MS } from '../kit/leader-limits.ts';
import { type AppendFact, groupAppends } from './group-appends.ts';
import {
  createRoomSenderMachine,
  type RoomSenderMachine,
  type RoomSenderPorts,
  type RoomSenderSignal,
  type SenderReport,
} from './room-sender.machine.ts';

interface QueueSignal {
  readonly type: 'queue.changed';
  /** Rooms with queued messages. */
  readonly rooms: readonly RoomKey[];
}

export type OutboxSignal =
  | QueueSignal
  | SenderReport
  | LinkSignal
  /** The status of a room's sender. */
  | {
      readonly type: `xstate.snapshot.${string}`;
      readonly snapshot: SnapshotFrom<RoomSenderMachine>;
    }
  /** A sender ends only when another tab leads. */
  | DoneActorEvent
  | { readonly type: 'retry.requested' };

export interface OutboxContext extends LeaderInput {
  /** Rooms with a sender; it stays, idle, when the room's queue is empty. */
  readonly senders: ReadonlySet<RoomKey>;
  /** Stores the outcome of a message. */
  readonly append: AppendFact;
  /** Ids of the messages being sent right now, by room. */
  readonly inFlight: ReadonlyMap<RoomKey, string>;
  /** Rooms whose last attempt failed since the engine was reachable. */
  readonly blockedRooms: ReadonlySet<RoomKey>;
}

/** The same set if nothing changes, so that it counts as unchanged. */
const toggle = <T>(set: ReadonlySet<T>, member: T, isIn: boolean): ReadonlySet<T> =>
  set.has(member) === isIn
    ? set
    : new Set(isIn ? [...set, member] : [...set].filter((one) => one !== member));

/** The same map if nothing changes. */
const replace = <K, V>(map: ReadonlyMap<K, V>, key: K, value: V | undefined): ReadonlyMap<K, V> => {
  if (map.get(key) === value) return map;
  const rest = [...map].filter(([known]) => known !== key);
  return new Map(value === undefined ? rest : [...rest, [key, value]]);
};

const setupOutbox = (ports: RoomSenderPorts) =>
  setup({
    types: {
      context: {} as OutboxContext,
      events: {} as OutboxSignal,
      input: {} as LeaderInput,
    },
    actors: {
      watchQueue: fromSubscription<QueueSignal, LeaderInput>((send, { store }) =>
        store.watchQueuedRooms((rooms) => send({ type: 'queue.changed', rooms })),
      ),
      watchLink,
      roomSender: createRoomSenderMachine(ports),
    },
    actions: {
      ensureSenders: enqueueActions(({ context, enqueue }, rooms: readonly RoomKey[]) => {
        const { store, uid, fence, senders, append } = context;
        const activeRoomCount = rooms.length;
        for (const room of rooms) {
          if (senders.has(room)) {
            enqueue.sendTo(room, {
              type: 'queue.changed',
              activeRoomCount,
            } satisfies RoomSenderSignal);
          } else {
            enqueue.spawnChild('roomSender', {
              id: room,
              syncSnapshot: true,
              input: { store, uid, fence, room, activeRoomCount, append },
            });
          }
        }
        enqueue.assign({ senders: new Set([...senders, ...rooms]) });
      }),
      keepSender: assign(
        ({ context: { inFlight, blockedRooms } }, sender: SnapshotFrom<RoomSenderMachine>) => {
          const { room, item, blocked } = sender.context;
          const id = sender.matches('sending') ? item?.id : undefined;
          return {
            inFlight: replace(inFlight, room, id),
            blockedRooms: toggle(blockedRooms, room, blocked),
          };
        },
      ),
      unblock: assign({ blockedRooms: new Set() }),
      wakeSenders: enqueueActions(({ context, enqueue }) => {
        for (const room of context.blockedRooms) {
          enqueue.sendTo(room, { type: 'sending.resume' } satisfies RoomSenderSignal);
        }
      }),
      notifyConnection: ({ system }) => notifyConnection(system, { type: 'engine.answered' }),
    },
    delays: { queueCheck: QUEUE_CHECK_MS },
  });

/** Drains the queues in parallel: one sender per room that ever had a queued message. */
export const createOutboxMachine = (ports: RoomSenderPorts) =>
  setupOutbox(ports).createMachine({
    id: 'outbox',
    context: ({ input }) => ({
      ...input,
      append: groupAppends(input),
      senders: new Set(),
      inFlight: new Map(),
      blockedRooms: new Set(),
    }),
    invoke: { src: 'watchLink' },
    initial: 'draining',
    states: {
      draining: {
        invoke: { src: 'watchQueue', input: ({ context }) => context },
        // A tab that dies at its commit does not report it to the others.
        after: { queueCheck: { target: 'draining', reenter: true } },
        on: {
          'queue.changed': {
            actions: { type: 'ensureSenders', params: ({ event }) => event.rooms },
          },
          'xstate.snapshot.*': {
            actions: { type: 'keepSender', params: ({ event }) => event.snapshot },
          },
          'send.answered': { actions: ['wakeSenders', 'notifyConnection'] },
          'retry.requested': { actions: 'wakeSenders' },
          'connection.restored': { actions: 'unblock' },
          'connection.lost': { actions: 'unblock' },
          'xstate.done.actor.*': 'fenced',
        },
      },
      fenced: { type: 'final' },
    },
  });

export type OutboxMachine = ReturnType<typeof createOutboxMachine>;

/** Whether messages wait although the engine is reachable. */
export const selectBlocked = ({ context }: SnapshotFrom<OutboxMachine>): boolean =>
  context.blockedRooms.size > 0;
