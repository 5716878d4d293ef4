import type { AppError } from '#domain/errors.ts';
import { LEADER_HEARTBEAT_MS, LEADER_STALE_MS } from '#domain/limits.ts';
import type { BrowserLink, LinkStatus } from '#domain/link-status.ts';
import type { LeaderRow } from '#domain/project/rows.ts';
import type { Locks } from '#domain/ports/browser.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Result } from '#domain/result.ts';
import { toRetryDelay } from '#domain/rules/retry-delay.ts';
import { assign, fromCallback, fromPromise, sendTo, setup, type SnapshotFrom } from 'xstate';

import {
  type ConnectionMachine,
  createConnectionMachine,
} from '../connection/connection.machine.ts';
import type { ConnectionPorts } from '../connection/connection-setup.ts';
import { findCursor, selectLink, notifyConnection } from '../connection/link.ts';
import { hasFailed, isFenced, reportFailure } from '../kit/answer.ts';
import { fromSubscription } from '../kit/from-subscription.ts';
import { CONNECT_RETRY, LEADER_STALE_HIDDEN_MS, STORAGE_SLOW_MS } from '../kit/leader-limits.ts';
import { STORAGE_LIMIT_MS } from '../kit/limits.ts';
import { type EnvironmentSignal, watchEnvironment } from '../kit/watch-environment.ts';
import {
  createOutboxMachine,
  type OutboxMachine,
  type OutboxSignal,
  selectBlocked,
} from '../outbox/outbox.machine.ts';
import type { LeaderInput } from '../kit/inputs.ts';
import type { RoomSenderPorts } from '../outbox/room-sender.machine.ts';
import { createRetentionMachine } from './retention.machine.ts';

export type LeaderSignal =
  | { readonly type: 'lock.held' }
  | { readonly type: 'lock.lost' }
  /** A heartbeat of the leading tab; `recent` unless it is an old one. */
  | { readonly type: 'leader.seen'; readonly row: LeaderRow; readonly recent: boolean }
  /** Whether the disk is full, so that no heartbeat can be written. */
  | { readonly type: 'space.changed'; readonly isFull: boolean }
  | EnvironmentSignal
  | { readonly type: 'retry.requested' };

export interface LeaderContext extends LeaderInput {
  /** The status of this browser's only stream, here or in the leading tab. */
  readonly link: BrowserLink;
  /** Whether the disk is full, as last reported while this tab does not lead. */
  readonly isFull: boolean;
}

export interface HeartbeatInput extends Pick<LeaderContext, 'store' | 'fence'> {
  readonly link: LinkStatus;
}

/** Takes the lock by force. */
export interface LockRequest {
  readonly type: 'lock.steal';
}

export type LeaderPorts = ConnectionPorts & RoomSenderPorts & Pick<Ports, 'locks' | 'tabId'>;

/** The link status, including that of the outbox. */
const toLink = (link: BrowserLink, blocked: boolean): BrowserLink => {
  if (link.kind !== 'online') return link;
  const { blocked: _before, ...connection } = link;
  return { ...connection, ...(blocked && { blocked }) };
};

const toConnectionText = (link: BrowserLink): string => JSON.stringify(toLink(link, false));

/** The link status that this tab publishes once it leads. */
export const toOwnLink = (link: BrowserLink): LinkStatus =>
  link.kind === 'unresponsive' ? { kind: 'connecting' } : link;

const isBlocked = (link: BrowserLink): boolean => link.kind === 'online' && link.blocked === true;

type ConnectionSnapshot = SnapshotFrom<ConnectionMachine>;

/** Queues for the lock of one user; a signal makes it take the lock by force. */
const holdLock = (locks: Locks) =>
  fromCallback<LockRequest, { readonly uid: string }>(({ input, sendBack, receive }) => {
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

const toActors = (ports: LeaderPorts) => ({
  lock: holdLock(ports.locks),
  watchLeader: fromSubscription<LeaderSignal, Pick<LeaderInput, 'store'>>((send, { store }) =>
    store.watchLeader((row) => {
      if (row === undefined) return;
      const recent = ports.clock.now() - row.at < LEADER_STALE_MS;
      send({ type: 'leader.seen', row, recent });
    }),
  ),
  watchSpace: fromSubscription<LeaderSignal, Pick<LeaderInput, 'store'>>((send, { store }) =>
    store.watchSpace((isFull) => send({ type: 'space.changed', isFull })),
  ),
  takeFence: fromPromise<Result<number, AppError>, Pick<LeaderInput, 'store'>>(async ({ input }) =>
    input.store.takeFence(ports.tabId, ports.clock.now()),
  ),
  writeHeartbeat: fromPromise<Result<void, AppError>, HeartbeatInput>(
    async ({ input: { store, fence, link }, system }) =>
      store.writeHeartbeat(fence, ports.clock.now(), link, findCursor(system)),
  ),
  watchEnvironment: watchEnvironment(ports.environment),
  connection: createConnectionMachine(ports),
  outbox: createOutboxMachine(ports),
  retention: createRetentionMachine(ports),
});

/** Signals, actors, actions, guards and delays of the leader. */
export const setupLeader = (ports: LeaderPorts) =>
  setup({
    types: {
      context: {} as LeaderContext,
      events: {} as LeaderSignal,
      input: {} as Omit<LeaderInput, 'fence'>,
      children: {} as { lock: 'lock'; connection: 'connection'; outbox: 'outbox' },
    },
    actors: toActors(ports),
    actions: {
      keepSeenLink: assign((_, link: BrowserLink) => ({ link })),
      keepSpace: assign(({ context }, isFull: boolean) => ({
        isFull,
        // On a full disk the leader cannot write another status, and nothing is being sent.
        link: isFull ? toLink(context.link, false) : context.link,
      })),
      keepOwnLink: assign(({ context }, connection: ConnectionSnapshot) => ({
        link: toLink(selectLink(connection), isBlocked(context.link)),
      })),
      keepBlocked: assign(({ context }, outbox: SnapshotFrom<OutboxMachine>) => ({
        link: toLink(context.link, selectBlocked(outbox)),
      })),
      keepFence: assign(({ context }, fence: number) => ({
        fence,
        link: toOwnLink(context.link),
      })),
      keepUnresponsive: assign({ link: { kind: 'unresponsive' } }),
      stealLock: sendTo('lock', { type: 'lock.steal' } satisfies LockRequest),
      retryConnection: ({ system }) => notifyConnection(system, { type: 'retry.requested' }),
      retryOutbox: sendTo('outbox', { type: 'retry.requested' } satisfies OutboxSignal),
      reportFailure: reportFailure(ports),
    },
    guards: {
      isFull: ({ context }) => context.isFull,
      isRecent: ({ event }) => event.type === 'leader.seen' && event.recent,
      isLinkNew: ({ context }, connection: ConnectionSnapshot) =>
        toConnectionText(context.link) !== toConnectionText(selectLink(connection)),
      isBlockedNew: ({ context: { link } }, outbox: SnapshotFrom<OutboxMachine>) =>
        link.kind === 'online' && isBlocked(link) !== selectBlocked(outbox),
      isFenced,
      hasFailed,
    },
    delays: {
      stale: () => (ports.environment.isVisible() ? LEADER_STALE_MS : LEADER_STALE_HIDDEN_MS),
      heartbeatInterval: LEADER_HEARTBEAT_MS,
      /** After this the other tabs consider this one silent. */
      heartbeatLimit: LEADER_STALE_MS,
      storageSlow: STORAGE_SLOW_MS,
      storageLimit: STORAGE_LIMIT_MS,
      retryDelay: () => toRetryDelay(0, CONNECT_RETRY, ports.random),
    },
  });

export type LeaderSetup = ReturnType<typeof setupLeader>;
