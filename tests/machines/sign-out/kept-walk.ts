import {
  createUnsentRestoreMachine,
  type UnsentRestoreInput,
} from '#machines/sign-out/unsent-restore.machine.ts';
import { fail, ok } from '#domain/result.ts';
import type { Walk } from '#tests/support/machines/cover-machine.ts';
import { MemoryWorld } from '#tests/support/memory-ports/memory-ports.ts';

const SIGNALS = [
  { type: 'discard.chosen' },
  { type: 'loss.dismissed' },
  { type: 'network.returned' },
];
const FAILED = fail({ kind: 'unreachable' });
const OUTPUTS = {
  restoreUnsent: [ok({ loss: 'unsent', unreadable: true }), FAILED],
  discard: [ok(undefined), FAILED],
};

/**
 * Every signal to the restore machine: with no result, and with the result available from the
 * start.
 */
export const keptWalks = (input: Omit<UnsentRestoreInput, 'returned'>): readonly Walk[] =>
  [undefined, { loss: 'none', unreadable: false } as const].map((returned) => ({
    machine: createUnsentRestoreMachine(new MemoryWorld().openTab()),
    input: { ...input, returned },
    signals: SIGNALS,
    outputs: OUTPUTS,
  }));
