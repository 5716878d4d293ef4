import type { AppError } from '#domain/errors.ts';
import { HISTORY_LAG_MS } from '#domain/limits.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Result } from '#domain/result.ts';
import { toRetryDelay } from '#domain/rules/retry-delay.ts';
import type { MarkEntry } from '#domain/schemas/mark-log.ts';
import type { Timetoken } from '#domain/timetoken.ts';
import { assign, type EventObject, fromPromise, setup } from 'xstate';

import {
  findFailure,
  hasFailed,
  isFenced,
  reportFailure,
  findRequestedDelay,
} from '../kit/answer.ts';
import { fromSubscription } from '../kit/from-subscription.ts';
import {
  CATCH_UP_LIMIT_MS,
  CATCH_UP_RETRY,
  MARK_LOG_DELAY_MS,
  MARK_LOG_EVERY_MS,
  MARK_LOG_FAILURES_MAX,
  MARK_LOG_START_MS,
} from '../kit/leader-limits.ts';
import { renewToken } from '../kit/renew-token.ts';
import { revalidateSession } from '../kit/revalidate-session.ts';
import { type MarkLogOwner, MarkLogSync } from './sync-mark-log.ts';

export type MarkLogSignal =
  /** Another device, or this one, wrote to the log; these entries may be missing there yet. */
  | { readonly type: 'log.grown'; readonly entries: readonly MarkEntry[] }
  /** A mark was stored on this device. */
  | { readonly type: 'marks.changed' };

/** `isReading`: reads the log first. */
export interface SyncInput {
  readonly sync: MarkLogSync;
  readonly isReading: boolean;
  readonly findStart: MarkLogInput['findStart'];
  /** Consecutive failures. */
  readonly failures: number;
}

/** The input of the machine. */
export interface MarkLogInput extends MarkLogOwner {
  /**
   * Where reading begins if the user log does not contain that; undefined while it is not known.
   */
  readonly findStart: () => Timetoken | undefined;
}

export interface MarkLogContext extends SyncInput, Pick<MarkLogOwner, 'store' | 'log'> {
  /** The log may contain entries that were not read yet. */
  readonly isGrown: boolean;
  /** Entries arrived that the log may have lacked when it was read. */
  readonly isLate: boolean;
  /** The log may lack marks of this device. */
  readonly isChanged: boolean;
  /** The delay that the engine requested with the last failure, ms. */
  readonly retryAfterMs: number;
}

export type MarkLogPorts = Pick<Ports, 'realtime' | 'ids' | 'random' | 'clientLog'>;

type Synced = Result<unknown, AppError>;

/** The value of a sync is false until reading has begun on this device. */
const hasNotStarted = ({ output }: EventObject & { readonly output?: Synced }): boolean =>
  output?.ok === true && !output.value;

const toEntries = ({ event }: { readonly event: { readonly entries: readonly MarkEntry[] } }) =>
  event.entries;

const setupMarkLog = (ports: MarkLogPorts) =>
  setup({
    types: {
      context: {} as MarkLogContext,
      events: {} as MarkLogSignal,
      input: {} as MarkLogInput,
    },
    actors: {
      watchLog: fromSubscription<MarkLogSignal, Pick<MarkLogOwner, 'log'>>((notify, { log }) =>
        ports.realtime[log].watch((entries) => notify({ type: 'log.grown', entries })),
      ),
      watchLocalMarks: fromSubscription<MarkLogSignal, MarkLogContext>((notify, { store, log }) =>
        store.watchLocalMarks(log, () => notify({ type: 'marks.changed' })),
      ),
      sync: fromPromise<Synced, SyncInput>(
        async ({ input: { sync, isReading, findStart, failures }, signal }) => {
          const read = isReading ? await sync.read(signal) : undefined;
          const isFailed = read?.ok === false;
          // A new device waits for the log a few times before it begins at its own position.
          if (isFailed && failures < MARK_LOG_FAILURES_MAX && read.error.kind !== 'rejected')
            return read;
          const begun = await sync.begin(findStart());
          if (isFailed) return read;
          return begun.ok && begun.value ? sync.publish(signal) : begun;
        },
      ),
    },
    actions: {
      recordGrowth: assign({ isGrown: true }),
      addDelivered: assign(({ context }, entries: readonly MarkEntry[]) => ({
        isGrown: true,
        isLate: context.sync.addDelivered(entries) || context.isLate,
      })),
      recordSettled: assign({ isGrown: true, isLate: false }),
      recordChange: assign({ isChanged: true }),
      recordBeginning: assign(({ context }) => ({
        isReading: context.isGrown,
        isGrown: false,
        isChanged: false,
      })),
      countFailure: assign(({ context, event }) => {
        const retryAfterMs = findRequestedDelay(findFailure(event));
        return { failures: context.failures + 1, isGrown: true, retryAfterMs };
      }),
      resetFailures: assign({ failures: 0 }),
      renewToken: renewToken(ports),
      revalidateSession,
      reportFailure: reportFailure(ports),
    },
    guards: {
      hasFailed,
      isFenced,
      isRefused: ({ event }) => findFailure(event)?.kind === 'unauthenticated',
      hasNotStarted: ({ event }) => hasNotStarted(event),
      isGrown: ({ context }) => context.isGrown,
      isLate: ({ context }) => context.isLate,
      isChanged: ({ context }) => context.isChanged,
    },
    delays: {
      syncLimit: CATCH_UP_LIMIT_MS,
      syncEvery: MARK_LOG_EVERY_MS,
      historyLag: HISTORY_LAG_MS,
      batchDelay: MARK_LOG_DELAY_MS,
      startDelay: MARK_LOG_START_MS,
      retryDelay: ({ context: { failures, retryAfterMs } }) =>
        Math.max(retryAfterMs, toRetryDelay(failures - 1, CATCH_UP_RETRY, ports.random)),
    },
  });

/**
 * Keeps the marks of one log the same on all devices, while this one is online: the user's own
 * marks, or those of all staff. The log is read at the start, whenever it grows (later once more if
 * it may have lacked entries), and every five minutes in case the engine did not report growth.
 */
export const createMarkLogMachine = (ports: MarkLogPorts) =>
  setupMarkLog(ports).createMachine({
    id: 'markLog',
    context: ({ input }) => ({
      sync: new MarkLogSync(ports, input),
      store: input.store,
      log: input.log,
      findStart: input.findStart,
      isReading: false,
      isGrown: true,
      isLate: false,
      isChanged: false,
      failures: 0,
      retryAfterMs: 0,
    }),
    invoke: [
      { src: 'watchLog', input: ({ context }) => context },
      { src: 'watchLocalMarks', input: ({ context }) => context },
    ],
    on: {
      'log.grown': { actions: { type: 'addDelivered', params: toEntries } },
      'marks.changed': { actions: 'recordChange' },
    },
    initial: 'syncing',
    states: {
      syncing: {
        invoke: {
          src: 'sync',
          input: ({ context }) => context,
          onDone: [
            { guard: 'isFenced', target: 'fenced' },
            {
              guard: 'isRefused',
              target: 'failing',
              actions: ['renewToken', 'revalidateSession'],
            },
            { guard: 'hasFailed', target: 'failing' },
            { guard: 'hasNotStarted', target: 'awaitingStart', actions: 'resetFailures' },
            { target: 'idle', actions: 'resetFailures' },
          ],
          onError: { target: 'failing', actions: 'reportFailure' },
        },
        entry: 'recordBeginning',
        after: { syncLimit: { target: 'failing', actions: 'reportFailure' } },
      },
      idle: {
        always: [
          { guard: 'isGrown', target: 'syncing' },
          { guard: 'isChanged', target: 'batching' },
        ],
        after: {
          historyLag: { guard: 'isLate', target: 'syncing', actions: 'recordSettled' },
          syncEvery: { target: 'syncing', actions: 'recordGrowth' },
        },
      },
      /** It is not known yet where reading begins. */
      awaitingStart: { after: { startDelay: 'syncing' } },
      /** While the user scrolls, the read position advances many times a second. */
      batching: {
        after: { batchDelay: 'syncing' },
        on: {
          'log.grown': {
            target: 'syncing',
            actions: { type: 'addDelivered', params: toEntries },
          },
        },
      },
      failing: { entry: 'countFailure', after: { retryDelay: 'syncing' } },
      fenced: { type: 'final' },
    },
  });
