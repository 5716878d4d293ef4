import type { AppError } from '#domain/errors.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Store } from '#domain/ports/storage.ts';
import type { Result } from '#domain/result.ts';
import { assign, fromPromise, setup } from 'xstate';

import { hasFailed, reportFailure, toValue } from '../kit/answer.ts';
import { REQUEST_LIMIT_MS, STORAGE_LIMIT_MS } from '../kit/limits.ts';
import { toRefetchDelay } from '../kit/refetch-delay.ts';
import { type EnvironmentSignal, watchEnvironment } from '../kit/watch-environment.ts';
import type { Returned } from './restore-unsent.ts';

export type UnsentRestoreSignal =
  | { readonly type: 'discard.chosen' }
  | { readonly type: 'loss.dismissed' }
  | EnvironmentSignal;

export interface UnsentRestoreInput {
  readonly store: Store;
  readonly uid: string;
}

export interface UnsentRestoreContext extends UnsentRestoreInput {
  /** Undefined until the messages were restored. */
  readonly returned: Returned | undefined;
  /** Consecutive failures. */
  readonly attempt: number;
}

type RestorePorts = Pick<Ports, 'device' | 'sessionApi' | 'environment' | 'random' | 'clientLog'>;

const setupUnsentRestore = (ports: RestorePorts) =>
  setup({
    types: {
      context: {} as UnsentRestoreContext,
      events: {} as UnsentRestoreSignal,
      input: {} as UnsentRestoreInput,
    },
    actors: {
      restoreUnsent: fromPromise<Result<Returned, AppError>, UnsentRestoreInput>(
        async ({ input: { store, uid }, signal }) =>
          (await import('./restore-unsent.ts')).restoreUnsent(ports, store, uid, signal),
      ),
      discard: fromPromise<Result<void, AppError>, UnsentRestoreInput>(async ({ input }) =>
        ports.device.discardKept(input.uid),
      ),
      watchEnvironment: watchEnvironment(ports.environment),
    },
    actions: {
      countAttempt: assign({ attempt: ({ context }) => context.attempt + 1 }),
      keepReturned: assign((_, returned: Returned) => ({ returned })),
      forgetUnreadable: assign(({ context: { returned } }) => ({
        returned: returned && { ...returned, unreadable: false },
      })),
      forgetLoss: assign(({ context: { returned } }) => ({
        returned: returned && { ...returned, loss: 'none' as const },
      })),
      reportFailure: reportFailure(ports),
    },
    guards: { hasFailed },
    delays: {
      requestLimit: REQUEST_LIMIT_MS,
      storageLimit: STORAGE_LIMIT_MS,
      retryDelay: ({ context }) => toRefetchDelay(ports, context.attempt),
    },
  });

/**
 * Fetches the user's keys, which are required to keep messages at a sign-out, restores the
 * messages kept earlier, and remembers the notices about them.
 */
export const createUnsentRestoreMachine = (ports: RestorePorts) =>
  setupUnsentRestore(ports).createMachine({
    id: 'unsentRestore',
    context: ({ input }) => ({ ...input, returned: undefined, attempt: 0 }),
    initial: 'taking',
    states: {
      taking: {
        invoke: {
          src: 'restoreUnsent',
          input: ({ context }) => context,
          onDone: [
            { guard: 'hasFailed', target: 'waiting' },
            { target: 'settled', actions: { type: 'keepReturned', params: toValue } },
          ],
          onError: { target: 'waiting', actions: 'reportFailure' },
        },
        after: { requestLimit: { target: 'waiting', actions: 'reportFailure' } },
      },
      waiting: {
        entry: 'countAttempt',
        invoke: { src: 'watchEnvironment' },
        after: { retryDelay: 'taking' },
        on: { 'network.returned': 'taking', 'page.shown': 'taking' },
      },
      settled: {
        on: { 'loss.dismissed': { actions: 'forgetLoss' } },
        initial: 'idle',
        states: {
          idle: { on: { 'discard.chosen': 'discarding' } },
          discarding: {
            invoke: {
              src: 'discard',
              input: ({ context }) => context,
              onDone: [
                { guard: 'hasFailed', target: 'failed' },
                { target: 'idle', actions: 'forgetUnreadable' },
              ],
              onError: { target: 'failed', actions: 'reportFailure' },
            },
            after: { storageLimit: { target: 'failed', actions: 'reportFailure' } },
          },
          failed: { on: { 'discard.chosen': 'discarding' } },
        },
      },
    },
  });

export type UnsentRestoreMachine = ReturnType<typeof createUnsentRestoreMachine>;
