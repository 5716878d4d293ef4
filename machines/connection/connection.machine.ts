import type { LinkStatus } from '#domain/link-status.ts';
import { laterOf, type Timetoken, TIMETOKEN_ZERO } from '#domain/timetoken.ts';
import { assertEvent, assign, sendTo, setup, type SnapshotFrom } from 'xstate';

import { revalidateSession } from '../kit/revalidate-session.ts';
import { findParent } from '../kit/find-parent.ts';
import type { LeaderInput } from '../outbox/room-sender.machine.ts';
import { missing, missingTask } from '../kit/task.ts';

export type ConnectionSignal =
  /** The stream is alive. */
  | { readonly type: 'stream.beat' }
  /** Everything up to `cursor` is on this device. */
  | { readonly type: 'stream.advanced'; readonly cursor: Timetoken }
  /** The log ends at `cursor`, before where the stream went on: another one took its place. */
  | { readonly type: 'stream.rewound'; readonly cursor: Timetoken }
  /** The engine may have dropped some of a burst. */
  | { readonly type: 'stream.overflowed' }
  | { readonly type: 'stream.ended' }
  /** Ended by 401 or 403. */
  | { readonly type: 'stream.refused' }
  | { readonly type: 'catchup.done' }
  /** The same may succeed later, not before `retryAfterMs`. */
  | { readonly type: 'catchup.failed'; readonly retryAfterMs: number }
  | { readonly type: 'catchup.refused' }
  /** Another tab leads. */
  | { readonly type: 'store.fenced' }
  | { readonly type: 'retry.requested' }
  | { readonly type: 'network.returned' }
  | { readonly type: 'network.lost' }
  | { readonly type: 'page.shown' };

export interface ConnectionContext extends LeaderInput {
  /** Where the stream goes on. */
  readonly cursor: Timetoken | undefined;
  /** Connections in a row that did not last. */
  readonly attempt: number;
  /** Catch-ups in a row that failed, over all connections. */
  readonly catchUpFailures: number;
  /** How long the engine asked to be left alone after the last one, ms. */
  readonly catchUpPauseMs: number;
  /** ms since the epoch of the next try, while waiting */
  readonly retryAt: number;
}

/** Without a cursor the newest known position is taken. */
export interface StreamInput extends LeaderInput {
  readonly cursor: Timetoken | undefined;
}

/**
 * Supervises the one stream of this browser with its own backoff and watchdog. Catch-up
 * runs at every (re)connect, when the page is shown, after a burst and once a minute.
 * "Offline" is the browser's word, which is wrong where the server runs on this very
 * device: it is shown, and probed ever more slowly (a fetch then fails without traffic).
 */
export const connectionMachine = setup({
  types: {
    context: {} as ConnectionContext,
    events: {} as ConnectionSignal,
    input: {} as LeaderInput,
  },
  actors: {
    runStream: missingTask<StreamInput>('runStream'),
    catchUp: missingTask<LeaderInput>('catchUp'),
    prefetch: missingTask<LeaderInput>('prefetch'),
    watchEnvironment: missingTask('watchEnvironment'),
  },
  actions: {
    keepCursor: assign(({ context, event }) => {
      assertEvent(event, 'stream.advanced');
      return { cursor: laterOf(context.cursor ?? TIMETOKEN_ZERO, event.cursor) };
    }),
    rewindCursor: assign(({ event }) => {
      assertEvent(event, 'stream.rewound');
      return { cursor: event.cursor };
    }),
    countAttempt: assign({ attempt: ({ context }) => context.attempt + 1 }),
    resetAttempts: assign({ attempt: 0 }),
    countCatchUpFailure: assign(({ context, event }) => ({
      catchUpFailures: context.catchUpFailures + 1,
      catchUpPauseMs: event.type === 'catchup.failed' ? event.retryAfterMs : 0,
    })),
    resetCatchUpFailures: assign({ catchUpFailures: 0, catchUpPauseMs: 0 }),
    planRetry: missing('planRetry'),
    renewToken: missing('renewToken'),
    revalidateSession,
    tellFenced: sendTo(findParent, { type: 'leader.fenced' }),
  },
  guards: { isOffline: missing('isOffline'), isHidden: missing('isHidden') },
  delays: {
    untilRetry: missing('untilRetry'),
    catchUpRetry: missing('catchUpRetry'),
    watchdog: missing('watchdog'),
    catchUpEvery: missing('catchUpEvery'),
    proof: missing('proof'),
  },
}).createMachine({
  id: 'connection',
  context: ({ input }) => ({
    ...input,
    cursor: undefined,
    attempt: 0,
    catchUpFailures: 0,
    catchUpPauseMs: 0,
    retryAt: 0,
  }),
  invoke: { src: 'watchEnvironment' },
  on: { 'store.fenced': '.fenced' },
  initial: 'starting',
  states: {
    starting: { always: [{ guard: 'isOffline', target: 'offline' }, 'linked'] },
    offline: {
      entry: ['countAttempt', 'planRetry'],
      after: { untilRetry: 'linked.probing' },
      on: { 'network.returned': 'linked', 'retry.requested': 'linked' },
    },
    linked: {
      invoke: { src: 'runStream', input: ({ context }) => context },
      on: {
        'stream.advanced': { actions: 'keepCursor' },
        'stream.ended': 'broken',
        'stream.rewound': { target: 'broken', actions: 'rewindCursor' },
        'stream.refused': { target: 'broken', actions: ['renewToken', 'revalidateSession'] },
        'network.lost': 'offline',
      },
      initial: 'connecting',
      states: {
        connecting: {
          after: { watchdog: '#connection.broken' },
          on: { 'stream.beat': 'online' },
        },
        probing: {
          after: { watchdog: '#connection.broken' },
          on: { 'stream.beat': 'online' },
        },
        online: {
          type: 'parallel',
          states: {
            liveness: {
              initial: 'watched',
              states: {
                watched: {
                  after: { watchdog: '#connection.broken' },
                  on: { 'stream.beat': { target: 'watched', reenter: true } },
                },
              },
            },
            stability: {
              initial: 'settling',
              states: {
                settling: { after: { proof: 'stable' } },
                stable: { entry: 'resetAttempts' },
              },
            },
            catchUp: {
              initial: 'running',
              states: {
                running: {
                  invoke: { src: 'catchUp', input: ({ context }) => context },
                  on: {
                    'catchup.failed': 'retrying',
                    'catchup.refused': {
                      target: 'retrying',
                      actions: ['renewToken', 'revalidateSession'],
                    },
                  },
                  initial: 'current',
                  states: {
                    current: {
                      on: {
                        'catchup.done': {
                          target: '#connection.linked.online.catchUp.resting',
                          actions: 'resetCatchUpFailures',
                        },
                        'stream.overflowed': 'outdated',
                        'page.shown': 'outdated',
                      },
                    },
                    outdated: {
                      on: {
                        'catchup.done': {
                          target: '#connection.linked.online.catchUp.running',
                          reenter: true,
                          actions: 'resetCatchUpFailures',
                        },
                      },
                    },
                  },
                },
                retrying: {
                  entry: 'countCatchUpFailure',
                  after: { catchUpRetry: 'running' },
                  on: {
                    'page.shown': 'running',
                    'network.returned': 'running',
                    'retry.requested': 'running',
                  },
                },
                resting: {
                  invoke: { src: 'prefetch', input: ({ context }) => context },
                  after: {
                    catchUpEvery: [
                      { guard: 'isHidden', target: 'resting', reenter: true },
                      { target: 'running' },
                    ],
                  },
                  on: { 'page.shown': 'running', 'stream.overflowed': 'running' },
                },
              },
            },
          },
        },
      },
    },
    broken: { always: [{ guard: 'isOffline', target: 'offline' }, 'waiting'] },
    waiting: {
      entry: ['countAttempt', 'planRetry'],
      after: { untilRetry: 'linked' },
      on: {
        'network.returned': 'linked',
        'retry.requested': 'linked',
        'page.shown': 'linked',
        'network.lost': 'offline',
      },
    },
    fenced: { type: 'final', entry: 'tellFenced' },
  },
});

/** What the connection is doing, as the leader tells all tabs. */
export const selectLink = (snapshot: SnapshotFrom<typeof connectionMachine>): LinkStatus => {
  if (snapshot.matches('offline') || snapshot.matches({ linked: 'probing' })) {
    return { kind: 'offline' };
  }
  if (snapshot.matches({ linked: 'online' })) return { kind: 'online' };
  if (snapshot.matches('waiting')) return { kind: 'waiting', retryAt: snapshot.context.retryAt };
  return { kind: 'connecting' };
};
