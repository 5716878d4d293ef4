import type { Ports } from '#domain/ports.ts';

import { type KeptInput, keptMachine, type KeptSignal } from './kept.machine.ts';
import { STORAGE_LIMIT_MS } from './limits.ts';
import { takeBack } from './open-desk.ts';
import { toRefetchDelay } from './refetch-delay.ts';
import { fromTask } from './task.ts';

const FAILED: KeptSignal = { type: 'kept.failed' };

/** The kept machine with its real actors. */
export const provideKept = (ports: Ports) =>
  keptMachine.provide({
    actors: {
      takeBack: fromTask(
        ports,
        { name: 'takeBack', limitMs: STORAGE_LIMIT_MS, toFailure: () => FAILED },
        async ({ store, uid }: KeptInput): Promise<KeptSignal> => {
          const taken = await takeBack(ports, store, uid);
          return taken.ok ? { type: 'kept.taken' } : FAILED;
        },
      ),
    },
    delays: { retryDelay: ({ context }) => toRefetchDelay(ports, context.attempt) },
  });
