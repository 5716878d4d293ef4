import type { Timetoken } from '#domain/timetoken.ts';

import type { MarkLogInput } from '../mark-log/mark-log.machine.ts';
import {
  type ConnectionContext,
  type ConnectionPorts,
  type ConnectionSetup,
  setupConnection,
} from './connection-setup.ts';

const toCursor = ({ event }: { readonly event: { readonly cursor: Timetoken } }): Timetoken =>
  event.cursor;

/**
 * For a user who has never read, reading begins at the end of the logs when the first stream began.
 */
const toMarkLogInput =
  (log: MarkLogInput['log']) =>
  ({
    context,
    self,
  }: {
    readonly context: ConnectionContext;
    readonly self: { readonly getSnapshot: () => { readonly context: ConnectionContext } };
  }): MarkLogInput => ({ ...context, log, findStart: () => self.getSnapshot().context.began });

/**
 * Catches up once the stream is current, after a possible loss, when the page is shown, and once a
 * minute while it is.
 */
const toCatchUp = (connection: ConnectionSetup) =>
  connection.createStateConfig({
    initial: 'arriving',
    states: {
      /** Entries that the stream delivers after an absence are not read again as history. */
      arriving: { on: { 'stream.current': 'running' } },
      running: {
        invoke: {
          id: 'catchUp',
          src: 'catchUp',
          input: ({ context }) => context,
          onDone: [
            { guard: 'isFenced', target: '#connection.fenced' },
            {
              guard: 'isFirstRefusal',
              target: 'running',
              reenter: true,
              actions: ['countCatchUpFailure', 'renewToken', 'revalidateSession'],
            },
            {
              guard: 'isRefused',
              target: 'retrying',
              actions: ['renewToken', 'revalidateSession'],
            },
            {
              guard: 'canPrefetch',
              target: '#connection.linked.online.catchUp.retrying.prefetching',
            },
            { guard: 'hasFailed', target: 'retrying' },
            { target: 'idle', actions: 'resetCatchUpFailures' },
          ],
          onError: { target: 'retrying', actions: 'reportFailure' },
        },
        after: { catchUpLimit: { target: 'retrying', actions: 'reportFailure' } },
        initial: 'current',
        states: {
          current: {
            on: { 'stream.overflowed': 'outdated', 'page.shown': 'outdated' },
          },
          outdated: {
            on: {
              'xstate.done.actor.catchUp': {
                guard: 'hasSucceeded',
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
        initial: 'pausing',
        states: {
          pausing: {},
          prefetching: { invoke: { src: 'prefetch', input: ({ context }) => context } },
        },
      },
      idle: {
        entry: 'recordCatchUpEnded',
        invoke: { src: 'prefetch', input: ({ context }) => context },
        after: {
          catchUpEvery: [
            { guard: 'isHidden', target: 'idle', reenter: true },
            { target: 'running' },
          ],
        },
        on: { 'page.shown': 'running', 'stream.overflowed': 'running' },
      },
    },
  });

const toOnline = (connection: ConnectionSetup) =>
  connection.createStateConfig({
    type: 'parallel',
    entry: 'recordCatchUpBegun',
    invoke: [
      { id: 'userLog', src: 'markLog', input: toMarkLogInput('own') },
      { id: 'staffLog', src: 'markLog', input: toMarkLogInput('staff') },
    ],
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
          settling: { after: { stabilityDelay: 'stable' } },
          stable: {
            entry: 'resetAttempts',
            on: {
              // The server ends every stream with its token: nothing is wrong.
              'stream.ended': {
                guard: 'mayReconnect',
                target: '#connection.linked',
                reenter: true,
                actions: 'keepCause',
              },
            },
          },
        },
      },
      catchUp: toCatchUp(connection),
    },
  });

/**
 * Supervises the only stream of this browser with its own backoff and watchdog. Catch-up runs at
 * every (re)connect, when the page is shown, after a burst and once a minute while the page is
 * visible; it makes requests only if something may be missing. "Offline" is only the browser's
 * report, which is wrong if the server runs on this device: it is shown, and probed at growing
 * intervals (a fetch then fails without traffic).
 */
export const createConnectionMachine = (ports: ConnectionPorts) => {
  const connection = setupConnection(ports);
  return connection.createMachine({
    id: 'connection',
    context: ({ input }) => ({
      ...input,
      cursor: undefined,
      began: undefined,
      attempt: 0,
      catchingUp: false,
      catchUpFailures: 0,
      catchUpPauseMs: 0,
      retryAt: 0,
      cause: undefined,
    }),
    invoke: { src: 'watchEnvironment' },
    on: { 'store.fenced': '.fenced' },
    initial: 'starting',
    states: {
      starting: { always: [{ guard: 'isOffline', target: 'offline' }, 'linked'] },
      offline: {
        entry: ['keepCause', 'countAttempt', 'planRetry'],
        after: { untilRetry: 'linked.probing' },
        on: {
          'network.returned': 'linked',
          'retry.requested': 'linked',
          'page.shown': 'linked.probing',
        },
      },
      linked: {
        invoke: { src: 'runStream', input: ({ context }) => context },
        on: {
          'stream.advanced': { actions: { type: 'keepCursor', params: toCursor } },
          'stream.began': {
            actions: { type: 'keepBeginning', params: ({ event }) => event.at },
          },
          'stream.ended': 'broken',
          'stream.rewound': {
            target: 'broken',
            actions: { type: 'rewindCursor', params: toCursor },
          },
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
            on: {
              'stream.beat': 'online',
              'network.returned': { target: '#connection.linked', reenter: true },
            },
          },
          online: toOnline(connection),
        },
      },
      broken: {
        entry: 'keepCause',
        always: [{ guard: 'isOffline', target: 'offline' }, 'waiting'],
      },
      waiting: {
        entry: ['countAttempt', 'planRetry'],
        after: { untilRetry: 'linked' },
        on: {
          'network.returned': 'linked',
          'retry.requested': 'linked',
          'engine.answered': 'linked',
          'page.shown': 'linked',
          'network.lost': 'offline',
        },
      },
      fenced: { type: 'final' },
    },
  });
};

export type ConnectionMachine = ReturnType<typeof createConnectionMachine>;
