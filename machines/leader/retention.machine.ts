import { assign, sendTo, setup } from 'xstate';

import { findParent } from '../kit/find-parent.ts';
import type { LeaderInput } from '../outbox/room-sender.machine.ts';
import { missing, missingTask } from '../kit/task.ts';

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
