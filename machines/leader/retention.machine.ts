import { assign, sendTo, setup } from 'xstate';

import type { Ports } from '#domain/ports/ports.ts';

import { findParent } from '../kit/find-parent.ts';
import type { LeaderInput } from '../outbox/room-sender.machine.ts';
import { fromTask, missing, missingTask } from '../kit/task.ts';
import { PRUNE_LIMIT_MS, RETENTION_EVERY_MS, RETENTION_FIRST_MS } from '../kit/limits.ts';

export type RetentionSignal =
  | { readonly type: 'prune.ended' }
  /** Another tab leads. */
  | { readonly type: 'prune.fenced' };

export interface RetentionContext extends LeaderInput {
  readonly runs: number;
}

/** Forgets old history now and then while its tab leads; a failure waits for the next time. */
export const retentionMachine = setup({
  types: {
    context: {} as RetentionContext,
    events: {} as RetentionSignal,
    input: {} as LeaderInput,
  },
  actors: { prune: missingTask<LeaderInput>('prune') },
  actions: {
    countRun: assign({ runs: ({ context }) => context.runs + 1 }),
    tellFenced: sendTo(findParent, { type: 'leader.fenced' }),
  },
  delays: { untilNext: missing('untilNext') },
}).createMachine({
  id: 'retention',
  context: ({ input }) => ({ ...input, runs: 0 }),
  initial: 'waiting',
  states: {
    waiting: { after: { untilNext: 'pruning' } },
    pruning: {
      entry: 'countRun',
      invoke: { src: 'prune', input: ({ context }) => context },
      on: { 'prune.ended': 'waiting', 'prune.fenced': 'fenced' },
    },
    fenced: { type: 'final', entry: 'tellFenced' },
  },
});

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
