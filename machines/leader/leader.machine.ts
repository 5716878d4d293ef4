import type { BrowserLink, LinkStatus } from '#domain/link-status.ts';
import { assertEvent, assign, sendTo, setup, type SnapshotFrom } from 'xstate';

import { connectionMachine, selectLink } from '../connection/connection.machine.ts';
import { outboxMachine, selectBlocked } from '../outbox/outbox.machine.ts';
import { retentionMachine } from './retention.machine.ts';
import type { BeatInput, DeskInput, LeaderContext, LeaderSignal } from './leader-signal.ts';
import { missing, missingTask } from '../kit/task.ts';
import type { StoreInput } from '../teams/teams.machine.ts';

const isSameLink = (a: BrowserLink, b: BrowserLink): boolean =>
  a.kind === b.kind && (a.kind !== 'waiting' || b.kind !== 'waiting' || a.retryAt === b.retryAt);

/** The link with what the outbox says of it. */
const toLink = (link: BrowserLink, blocked: boolean): BrowserLink =>
  link.kind === 'online' ? { kind: 'online', ...(blocked && { blocked }) } : link;

/** What this tab tells the others once it leads. */
const toOwnLink = (link: BrowserLink): LinkStatus =>
  link.kind === 'unresponsive' ? { kind: 'connecting' } : link;

const isBlocked = (link: BrowserLink): boolean => link.kind === 'online' && link.blocked === true;

/**
 * One tab leads: it holds the Web Lock, beats, and runs connection and outbox. The others
 * queue for the lock and take it by force from a leader that fell silent, but not on a full disk,
 * which silences every leader.
 */
export const leaderMachine = setup({
  types: {
    context: {} as LeaderContext,
    events: {} as LeaderSignal,
    input: {} as DeskInput,
    children: {} as { lock: 'lock'; connection: 'connection'; outbox: 'outbox' },
  },
  actors: {
    lock: missingTask<{ readonly uid: string }>('lock'),
    watchLeader: missingTask<StoreInput>('watchLeader'),
    watchSpace: missingTask<StoreInput>('watchSpace'),
    takeFence: missingTask<StoreInput>('takeFence'),
    beat: missingTask<BeatInput>('beat'),
    watchEnvironment: missingTask('watchEnvironment'),
    connection: connectionMachine,
    outbox: outboxMachine,
    retention: retentionMachine,
  },
  actions: {
    keepSeenLink: assign(({ event }) => {
      assertEvent(event, 'leader.seen');
      return { link: event.row.link };
    }),
    keepSpace: assign(({ context, event }) => {
      assertEvent(event, 'space.changed');
      const { isFull } = event;
      // On a full disk the leader can write no other word, and nothing is being sent.
      return { isFull, link: isFull ? toLink(context.link, false) : context.link };
    }),
    keepOwnLink: assign(({ event }) => {
      assertEvent(event, 'xstate.snapshot.connection');
      return { link: selectLink(event.snapshot) };
    }),
    keepCursor: assign(({ event }) => {
      assertEvent(event, 'xstate.snapshot.connection');
      return { cursor: event.snapshot.context.cursor };
    }),
    keepBlocked: assign(({ context, event }) => {
      assertEvent(event, 'xstate.snapshot.outbox');
      return { link: toLink(context.link, selectBlocked(event.snapshot)) };
    }),
    keepFence: assign(({ context, event }) => {
      assertEvent(event, 'fence.taken');
      return { fence: event.fence, cursor: undefined, link: toOwnLink(context.link) };
    }),
    keepUnresponsive: assign({ link: { kind: 'unresponsive' } }),
    stealLock: sendTo('lock', { type: 'lock.steal' }),
    retryConnection: sendTo('connection', { type: 'retry.requested' }),
    retryOutbox: sendTo('outbox', { type: 'retry.requested' }),
    tellOutbox: sendTo('outbox', ({ context }) => ({
      type: context.link.kind === 'online' ? 'connection.restored' : 'connection.lost',
    })),
  },
  guards: {
    isFull: ({ context }) => context.isFull,
    isRecent: ({ event }) => event.type === 'leader.seen' && event.recent,
    isLinkNew: ({ context, event }) =>
      event.type === 'xstate.snapshot.connection' &&
      !isSameLink(context.link, selectLink(event.snapshot)),
    isCursorNew: ({ context, event }) =>
      event.type === 'xstate.snapshot.connection' &&
      context.cursor !== event.snapshot.context.cursor,
    isBlockedNew: ({ context, event }) =>
      event.type === 'xstate.snapshot.outbox' &&
      context.link.kind === 'online' &&
      isBlocked(context.link) !== selectBlocked(event.snapshot),
    isWaiting: ({ context }) => context.link.kind === 'waiting',
  },
  delays: {
    stale: missing('stale'),
    beatEvery: missing('beatEvery'),
    storagePatience: missing('storagePatience'),
    retryDelay: missing('retryDelay'),
  },
}).createMachine({
  id: 'leader',
  context: ({ input }) => ({
    ...input,
    fence: 0,
    link: { kind: 'connecting' },
    cursor: undefined,
    isFull: false,
  }),
  invoke: { src: 'watchEnvironment' },
  initial: 'candidate',
  states: {
    candidate: {
      invoke: { id: 'lock', src: 'lock', input: ({ context }) => context },
      on: {
        'lock.held': '.taking',
        'lock.lost': { target: 'candidate', reenter: true },
        'leader.fenced': { target: 'candidate', reenter: true },
      },
      initial: 'queued',
      states: {
        queued: {
          invoke: [
            { src: 'watchLeader', input: ({ context }) => context },
            { src: 'watchSpace', input: ({ context }) => context },
          ],
          on: {
            'space.changed': { actions: 'keepSpace' },
            'leader.seen': [
              { guard: 'isRecent', target: '.listening', actions: 'keepSeenLink' },
              { target: '.listening' },
            ],
            'page.shown': '.listening',
            'retry.requested': '.stealing',
          },
          initial: 'listening',
          states: {
            listening: {
              after: {
                stale: [
                  { guard: 'isFull', target: 'listening', reenter: true },
                  { target: 'stealing' },
                ],
              },
            },
            stealing: {
              entry: 'stealLock',
              on: { 'lock.held': '#leader.candidate.taking.overdue' },
              after: {
                stale: [
                  { guard: 'isFull', target: 'listening' },
                  { target: 'stealing', reenter: true },
                ],
              },
            },
          },
        },
        taking: {
          invoke: { src: 'takeFence', input: ({ context }) => context },
          on: {
            'fence.taken': { target: 'leading', actions: 'keepFence' },
            'fence.failed': '#leader.resting',
          },
          initial: 'prompt',
          states: {
            prompt: { after: { stale: 'overdue' } },
            /** Nobody has answered for a while: neither a leading tab nor the storage. */
            overdue: { after: { storagePatience: { actions: 'keepUnresponsive' } } },
          },
        },
        leading: {
          invoke: [
            {
              id: 'connection',
              src: 'connection',
              input: ({ context }) => context,
              onSnapshot: [
                {
                  guard: 'isLinkNew',
                  target: '.beating',
                  actions: ['keepOwnLink', 'keepCursor', 'tellOutbox'],
                },
                { guard: 'isCursorNew', actions: 'keepCursor' },
              ],
            },
            {
              id: 'outbox',
              src: 'outbox',
              input: ({ context }) => context,
              onSnapshot: { guard: 'isBlockedNew', target: '.beating', actions: 'keepBlocked' },
            },
            { src: 'retention', input: ({ context }) => context },
          ],
          on: {
            'retry.requested': { actions: ['retryConnection', 'retryOutbox'] },
            'engine.answered': { guard: 'isWaiting', actions: 'retryConnection' },
          },
          initial: 'beating',
          states: {
            beating: {
              invoke: {
                src: 'beat',
                input: ({ context }) => ({ ...context, link: toOwnLink(context.link) }),
              },
              on: {
                'beat.done': 'resting',
                'beat.overdue': {
                  target: '#leader.candidate',
                  reenter: true,
                  actions: 'keepUnresponsive',
                },
              },
            },
            resting: { after: { beatEvery: 'beating' } },
          },
        },
      },
    },
    /** The store failed: let others try before the next turn. */
    resting: { after: { retryDelay: 'candidate' } },
  },
});

/** The link of this browser as this tab knows it. */
export const selectBrowserLink = (
  snapshot: SnapshotFrom<typeof leaderMachine> | undefined,
): BrowserLink => snapshot?.context.link ?? { kind: 'connecting' };
