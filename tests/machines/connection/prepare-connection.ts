import type { Store } from '#domain/ports/storage.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { createConnectionMachine } from '#machines/connection/connection.machine.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { openMemoryStore } from '#tests/support/memory-ports/store.ts';
import { MemoryWorld } from '#tests/support/memory-ports/memory-ports.ts';
import { createActor } from 'xstate';
import { afterEach } from 'vitest';

export const TEAM = toRoomKey('c_001', 'team');
export const GENERAL = toRoomKey('c_001', 'general');

const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A leading tab whose connection the test starts, with an in-memory engine. */
export const prepareConnection = async () => {
  const world = new MemoryWorld();
  const tab = world.openTab();
  const store = openMemoryStore(world.database());
  const taken = await store.takeFence('tab-1', 0);
  /** `over`: the methods that replace those of the connection's store. */
  const run = async (over: Partial<Store> = {}) => {
    const actor = createActor(createConnectionMachine(tab), {
      clock: world.clock.timers,
      input: { store: { ...store, ...over }, uid: 'u_me', fence: taken.ok ? taken.value : 0 },
    }).start();
    stops.push(() => actor.stop());
    await settle();
    return actor;
  };
  const known = (room = TEAM) => world.database().coverage.get(room)?.ranges ?? [];
  const stored = (room = TEAM) => [...(world.database().positions.get(room) ?? [])].toSorted();
  const inLog = (room = TEAM) =>
    world.engine.log.filter((entry) => entry.room === room).map(({ timetoken }) => timetoken);
  const count = (operation: string) =>
    world.engine.calls.filter((call) => call.operation === operation).length;
  /** Reads the newest page, so that the room is covered up to now. */
  const learn = async (room = TEAM) => {
    const newest = inLog(room).at(-1) ?? world.engine.write(room, { text: 'first' }).timetoken;
    await store.append([
      { type: 'v1.HistoryPageLoaded', room, from: newest, to: newest, reachedStart: true },
    ]);
  };
  return { world, tab, store, run, known, stored, inLog, count, learn };
};
