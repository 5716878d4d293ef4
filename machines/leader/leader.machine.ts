import { CONNECTION_ID } from '../connection/link.ts';
import { toValue } from '../kit/answer.ts';
import { type LeaderPorts, type LeaderSetup, setupLeader, toOwnLink } from './leader-setup.ts';

const toSnapshot = <T>({ event }: { readonly event: { readonly snapshot: T } }): T =>
  event.snapshot;

const toQueued = (leader: LeaderSetup) =>
  leader.createStateConfig({
    invoke: [
      { src: 'watchLeader', input: ({ context }) => context },
      { src: 'watchSpace', input: ({ context }) => context },
    ],
    on: {
      'space.changed': {
        actions: { type: 'keepSpace', params: ({ event }) => event.isFull },
      },
      'leader.seen': [
        {
          guard: 'isRecent',
          target: '.listening',
          actions: { type: 'keepSeenLink', params: ({ event }) => event.row.link },
        },
        { target: '.listening' },
      ],
      'page.shown': '.listening',
      'retry.requested': '.stealing',
    },
    initial: 'listening',
    states: {
      listening: {
        after: {
          stale: [{ guard: 'isFull', target: 'listening', reenter: true }, { target: 'stealing' }],
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
  });

/** Another tab took over while this one still led. */
const STEP_DOWN = { target: '#leader.candidate', reenter: true } as const;

const toLeading = (leader: LeaderSetup) =>
  leader.createStateConfig({
    invoke: [
      {
        id: 'connection',
        systemId: CONNECTION_ID,
        src: 'connection',
        input: ({ context }) => context,
        onSnapshot: {
          guard: { type: 'isLinkNew', params: toSnapshot },
          target: '.writingHeartbeat',
          actions: { type: 'keepOwnLink', params: toSnapshot },
        },
        onDone: STEP_DOWN,
      },
      {
        id: 'outbox',
        src: 'outbox',
        input: ({ context }) => context,
        onSnapshot: {
          guard: { type: 'isBlockedNew', params: toSnapshot },
          target: '.writingHeartbeat',
          actions: { type: 'keepBlocked', params: toSnapshot },
        },
        onDone: STEP_DOWN,
      },
      { src: 'retention', input: ({ context }) => context, onDone: STEP_DOWN },
    ],
    on: { 'retry.requested': { actions: ['retryConnection', 'retryOutbox'] } },
    initial: 'writingHeartbeat',
    states: {
      writingHeartbeat: {
        invoke: {
          src: 'writeHeartbeat',
          input: ({ context }) => ({ ...context, link: toOwnLink(context.link) }),
          onDone: [{ guard: 'isFenced', ...STEP_DOWN }, { target: 'idle' }],
          onError: { target: 'idle', actions: 'reportFailure' },
        },
        after: {
          heartbeatLimit: { ...STEP_DOWN, actions: ['reportFailure', 'keepUnresponsive'] },
        },
      },
      idle: { after: { heartbeatInterval: 'writingHeartbeat' } },
    },
  });

/**
 * One tab leads: it holds the Web Lock, writes heartbeats, and runs connection and outbox. The
 * others queue for the lock and take it by force from a silent leader, but not on a full disk,
 * which silences every leader.
 */
export const createLeaderMachine = (ports: LeaderPorts) => {
  const leader = setupLeader(ports);
  return leader.createMachine({
    id: 'leader',
    context: ({ input }) => ({
      ...input,
      fence: 0,
      link: { kind: 'connecting' },
      isFull: false,
    }),
    invoke: { src: 'watchEnvironment' },
    initial: 'candidate',
    states: {
      candidate: {
        invoke: { id: 'lock', src: 'lock', input: ({ context }) => context },
        on: { 'lock.held': '.taking', 'lock.lost': { target: 'candidate', reenter: true } },
        initial: 'queued',
        states: {
          queued: toQueued(leader),
          taking: {
            invoke: {
              src: 'takeFence',
              input: ({ context }) => context,
              onDone: [
                { guard: 'hasFailed', target: '#leader.retrying' },
                { target: 'leading', actions: { type: 'keepFence', params: toValue } },
              ],
              onError: { target: '#leader.retrying', actions: 'reportFailure' },
            },
            after: { storageLimit: { target: '#leader.retrying', actions: 'reportFailure' } },
            initial: 'prompt',
            states: {
              prompt: { after: { stale: 'overdue' } },
              /** For a while neither a leading tab nor the storage has answered. */
              overdue: { after: { storageSlow: { actions: 'keepUnresponsive' } } },
            },
          },
          leading: toLeading(leader),
        },
      },
      /** The store failed: other tabs may try before the next attempt. */
      retrying: { after: { retryDelay: 'candidate' } },
    },
  });
};

export type LeaderMachine = ReturnType<typeof createLeaderMachine>;
