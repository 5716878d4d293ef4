import type { Ports } from '#domain/ports/ports.ts';

import {
  type UnsentRestoreInput,
  unsentRestoreMachine,
  type UnsentRestoreSignal,
} from './unsent-restore.machine.ts';
import { REQUEST_LIMIT_MS, STORAGE_LIMIT_MS } from '../kit/limits.ts';
import { toRefetchDelay } from '../kit/refetch-delay.ts';
import { restoreUnsent } from './restore-unsent.ts';
import { fromTask } from '../kit/task.ts';
import { watchEnvironment } from '../kit/watch-environment.ts';

const FAILED: UnsentRestoreSignal = { type: 'kept.failed' };
const UNDISCARDED: UnsentRestoreSignal = { type: 'discard.failed' };

/** The kept machine with its real actors. */
export const provideUnsentRestore = (ports: Ports) =>
  unsentRestoreMachine.provide({
    actors: {
      restoreUnsent: fromTask(
        ports,
        { name: 'restoreUnsent', limitMs: REQUEST_LIMIT_MS, toFailure: () => FAILED },
        async ({ store, uid }: UnsentRestoreInput, cancel): Promise<UnsentRestoreSignal> => {
          const taken = await restoreUnsent(ports, store, uid, cancel);
          return taken.ok ? { type: 'kept.taken', returned: taken.value } : FAILED;
        },
      ),
      discard: fromTask(
        ports,
        { name: 'discardKept', limitMs: STORAGE_LIMIT_MS, toFailure: () => UNDISCARDED },
        async ({ uid }: UnsentRestoreInput): Promise<UnsentRestoreSignal> => {
          const discarded = await ports.device.discardKept(uid);
          return discarded.ok ? { type: 'discard.done' } : UNDISCARDED;
        },
      ),
      watchEnvironment: watchEnvironment(ports.environment),
    },
    delays: { retryDelay: ({ context }) => toRefetchDelay(ports, context.attempt) },
  });
