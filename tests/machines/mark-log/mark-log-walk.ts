import { fail, ok } from '#domain/result.ts';
import { createMarkLogMachine } from '#machines/mark-log/mark-log.machine.ts';
import type { Walk } from '#tests/support/machines/cover-machine.ts';
import { MemoryWorld } from '#tests/support/memory-ports/memory-ports.ts';
import { openMemoryStore } from '#tests/support/memory-ports/store.ts';

const world = new MemoryWorld();

export const MARK_LOG_WALK: Walk = {
  machine: createMarkLogMachine(world.openTab()),
  input: {
    store: openMemoryStore(world.database()),
    uid: 'u_me',
    fence: 1,
    log: 'own',
    findStart: () => undefined,
  },
  signals: [{ type: 'log.grown' }, { type: 'marks.changed' }],
  outputs: {
    sync: [
      ok(true),
      ok(false),
      fail({ kind: 'unreachable' }),
      fail({ kind: 'unauthenticated' }),
      fail({ kind: 'fenced' }),
    ],
  },
  keyOf: ({ context }) => [context.isGrown, context.isChanged],
};
