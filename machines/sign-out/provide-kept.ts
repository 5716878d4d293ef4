import type { Ports } from '#domain/ports/ports.ts';

import { type KeptInput, keptMachine, type KeptSignal } from './kept.machine.ts';
import { REQUEST_LIMIT_MS, STORAGE_LIMIT_MS } from '../kit/limits.ts';
import { toRefetchDelay } from '../kit/refetch-delay.ts';
import { takeBack } from './take-back.ts';
import { fromTask } from '../kit/task.ts';
import { watchSurroundings } from '../kit/watch-surroundings.ts';

const FAILED: KeptSignal = { type: 'kept.failed' };
const UNDISCARDED: KeptSignal = { type: 'discard.failed' };

/** The kept machine with its real actors. */
export const provideKept = (ports: Ports) =>
  keptMachine.provide({
    actors: {
      takeBack: fromTask(
        ports,
        { name: 'takeBack', limitMs: REQUEST_LIMIT_MS, toFailure: () => FAILED },
        async ({ store, uid }: KeptInput, cancel): Promise<KeptSignal> => {
          const taken = await takeBack(ports, store, uid, cancel);
          return taken.ok ? { type: 'kept.taken', returned: taken.value } : FAILED;
        },
      ),
      discard: fromTask(
        ports,
        { name: 'discardKept', limitMs: STORAGE_LIMIT_MS, toFailure: () => UNDISCARDED },
        async ({ uid }: KeptInput): Promise<KeptSignal> => {
          const discarded = await ports.device.discardKept(uid);
          return discarded.ok ? { type: 'discard.done' } : UNDISCARDED;
        },
      ),
      watchSurroundings: watchSurroundings(ports.surroundings),
    },
    delays: { retryDelay: ({ context }) => toRefetchDelay(ports, context.attempt) },
  });
