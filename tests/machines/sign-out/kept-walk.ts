import { provideUnsentRestore } from '#machines/sign-out/provide-unsent-restore.ts';
import type { StoreInput } from '#machines/teams/teams.machine.ts';
import type { Walk } from '#tests/support/machines/cover-machine.ts';
import { MemoryWorld } from '#tests/support/memory-ports/memory-ports.ts';

const SIGNALS = [
  { type: 'kept.taken', returned: { loss: 'unsent', unreadable: true } },
  { type: 'kept.failed' },
  { type: 'discard.chosen' },
  { type: 'discard.done' },
  { type: 'discard.failed' },
  { type: 'loss.dismissed' },
  { type: 'network.returned' },
];

/** Every signal there is, to the kept machine: with nothing settled, and settled at the opening. */
export const keptWalks = (input: StoreInput & { readonly uid: string }): readonly Walk[] =>
  [undefined, { loss: 'none', unreadable: false } as const].map((returned) => ({
    machine: provideUnsentRestore(new MemoryWorld().openTab()),
    input: { ...input, returned },
    signals: SIGNALS,
  }));
