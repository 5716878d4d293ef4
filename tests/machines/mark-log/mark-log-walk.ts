import { fail, ok } from '#domain/result.ts';
import type { MarkEntry } from '#domain/schemas/mark-log.ts';
import { fromEpochMs } from '#domain/timetoken.ts';
import { createMarkLogMachine, type MarkLogSignal } from '#machines/mark-log/mark-log.machine.ts';
import type { Walk } from '#tests/support/machines/cover-machine.ts';
import { MemoryWorld } from '#tests/support/memory-ports/memory-ports.ts';
import { openMemoryStore } from '#tests/support/memory-ports/store.ts';

import { TEAM } from './user-log.ts';

const world = new MemoryWorld();
const timetoken = fromEpochMs(1);
const MARK: MarkEntry = { timetoken, payload: { v: 1, reads: { [TEAM]: timetoken } } };
const GROWTH: readonly MarkLogSignal[] = [[], [MARK]].map((entries) => ({
  type: 'log.grown',
  entries,
}));

export const MARK_LOG_WALK: Walk = {
  machine: createMarkLogMachine(world.openTab()),
  input: {
    store: openMemoryStore(world.database()),
    uid: 'u_me',
    fence: 1,
    log: 'own',
    findStart: () => undefined,
  },
  signals: [...GROWTH, { type: 'marks.changed' }],
  outputs: {
    sync: [
      ok(true),
      ok(false),
      fail({ kind: 'unreachable' }),
      fail({ kind: 'unauthenticated' }),
      fail({ kind: 'fenced' }),
    ],
  },
  keyOf: ({ context }) => [context.isGrown, context.isLate, context.isChanged],
};
