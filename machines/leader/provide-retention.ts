import type { Ports } from '#domain/ports/ports.ts';

import { PRUNE_LIMIT_MS, RETENTION_EVERY_MS, RETENTION_FIRST_MS } from '../kit/limits.ts';
import { retentionMachine, type RetentionSignal } from './retention.machine.ts';
import type { LeaderInput } from '../outbox/room-sender.machine.ts';
import { fromTask } from '../kit/task.ts';

const ENDED: RetentionSignal = { type: 'prune.ended' };

/** The retention machine with its real actors. */
export const provideRetention = ({ clock, clientLog }: Pick<Ports, 'clock' | 'clientLog'>) =>
  retentionMachine.provide({
    actors: {
      prune: fromTask(
        { clientLog },
        { name: 'prune', limitMs: PRUNE_LIMIT_MS, toFailure: () => ENDED },
        async ({ store, fence }: LeaderInput): Promise<RetentionSignal> => {
          const pruned = await store.prune(fence, clock.now());
          if (pruned.ok) return ENDED;
          if (pruned.error.kind === 'fenced') return { type: 'prune.fenced' };
          clientLog.write('warn', 'PRUNE_FAILED', { kind: pruned.error.kind });
          return ENDED;
        },
      ),
    },
    delays: {
      untilNext: ({ context }) => (context.runs === 0 ? RETENTION_FIRST_MS : RETENTION_EVERY_MS),
    },
  });
