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
  { type: 'page.shown' },
];
const FAILED = fail({ kind: 'unreachable' });
const OUTPUTS = {
  restoreUnsent: [ok({ loss: 'unsent', unreadable: true }), FAILED],
  discard: [ok(undefined), FAILED],
};

/** Every signal to the restore machine, with any answer. */
export const keptWalk = (input: UnsentRestoreInput): Walk => ({
  machine: createUnsentRestoreMachine(new MemoryWorld().openTab()),
  input,
  signals: SIGNALS,
  outputs: OUTPUTS,
});
