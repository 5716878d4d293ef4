import { fail, ok } from '#domain/result.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { TIMETOKEN_ZERO as since } from '#domain/timetoken.ts';
import { createPeriodMachine } from '#machines/period/period.machine.ts';
import type { Walk } from '#tests/support/machines/cover-machine.ts';
import { MemoryWorld } from '#tests/support/memory-ports/memory-ports.ts';
import { openMemoryStore } from '#tests/support/memory-ports/store.ts';

const world = new MemoryWorld();
const error = { kind: 'unreachable' } as const;
const incomplete = [toRoomKey('c_001', 'team')];

const types = [
  'load.requested',
  'stop.requested',
  'room.loaded',
  'network.returned',
  'page.shown',
] as const;

/** Rooms that are complete or not, and a load that ends well or fails. */
export const PERIOD_WALK: Walk = {
  machine: createPeriodMachine(world.openTab(), openMemoryStore(world.database()), () => {}),
  input: { since },
  signals: [
    ...types.map((type) => ({ type })),
    ...[ok(undefined), fail(error)].map((outcome) => ({ type: 'load.ended', outcome })),
  ],
  outputs: {
    findCoverage: [
      fail(error),
      ...[[], incomplete].map((missing) => ok({ rooms: 1, missing, overfull: 0, upTo: since })),
    ],
  },
  keyOf: ({ context }) => [context.coverage?.missing.length, context.error],
};
