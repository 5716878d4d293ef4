import type { AppError } from '#domain/errors.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Result } from '#domain/result.ts';
import { assign, fromPromise, setup } from 'xstate';

import { findFailure, isFenced, reportFailure } from '../kit/answer.ts';
import type { LeaderInput } from '../kit/inputs.ts';
import { PRUNE_LIMIT_MS, RETENTION_EVERY_MS, RETENTION_FIRST_MS } from '../kit/leader-limits.ts';

export interface RetentionContext extends LeaderInput {
  readonly runs: number;
}

/**
 * Prunes old history regularly while its tab leads; a failed run is repeated at the next interval.
 * Ends when another tab leads.
 */
export const createRetentionMachine = (ports: Pick<Ports, 'clock' | 'clientLog'>) =>
  setup({
    types: { context: {} as RetentionContext, input: {} as LeaderInput },
    actors: {
      prune: fromPromise<Result<unknown, AppError>, LeaderInput>(
        async ({ input: { store, fence } }) => store.prune(fence, ports.clock.now()),
      ),
    },
    actions: {
      countRun: assign({ runs: ({ context }) => context.runs + 1 }),
      warnUnpruned: ({ event }) => {
        const kind = findFailure(event)?.kind;
        if (kind !== undefined) ports.clientLog.write('warn', 'PRUNE_FAILED', { kind });
      },
      reportFailure: reportFailure(ports),
    },
    guards: { isFenced },
    delays: {
      untilNext: ({ context }) => (context.runs === 0 ? RETENTION_FIRST_MS : RETENTION_EVERY_MS),
      pruneLimit: PRUNE_LIMIT_MS,
    },
  }).createMachine({
    id: 'retention',
    context: ({ input }) => ({ ...input, runs: 0 }),
    initial: 'waiting',
    states: {
      waiting: { after: { untilNext: 'pruning' } },
      pruning: {
        entry: 'countRun',
        invoke: {
          src: 'prune',
          input: ({ context }) => context,
          onDone: [
            { guard: 'isFenced', target: 'fenced' },
            { target: 'waiting', actions: 'warnUnpruned' },
          ],
          onError: { target: 'waiting', actions: 'reportFailure' },
        },
        after: { pruneLimit: { target: 'waiting', actions: 'reportFailure' } },
      },
      fenced: { type: 'final' },
    },
  });
