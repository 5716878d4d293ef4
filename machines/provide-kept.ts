import type { Ports } from '#domain/ports.ts';

import { type KeptInput, keptMachine, type KeptSignal } from './kept.machine.ts';
import { takeBack } from './open-desk.ts';
import { toRefetchDelay } from './refetch-delay.ts';
import { fromTask } from './task.ts';

/** The kept machine with its real actors. */
export const provideKept = (ports: Ports) =>
  keptMachine.provide({
    actors: {
      takeBack: fromTask(async ({ store, uid }: KeptInput): Promise<KeptSignal> => {
        const taken = await takeBack(ports, store, uid);
        return { type: taken.ok ? 'kept.taken' : 'kept.failed' };
      }),
    },
    delays: { retryDelay: ({ context }) => toRefetchDelay(ports, context.attempt) },
  });
