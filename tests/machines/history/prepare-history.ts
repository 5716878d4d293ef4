import { toRoomKey } from '#domain/rooms.ts';
import { createHistoryMachine, selectHistory } from '#machines/history/history.machine.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { MemoryWorld } from '#tests/support/memory-ports/memory-ports.ts';
import { openMemoryStore } from '#tests/support/memory-ports/store.ts';
import { createActor } from 'xstate';
import { afterEach } from 'vitest';

export const TEAM = toRoomKey('c_001', 'team');

const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A device without messages, and an engine with this many in a room. */
export const prepareHistory = (messages: number) => {
  const world = new MemoryWorld();
  for (let n = 0; n < messages; n += 1) world.engine.write(TEAM, { text: `m${n}` });
  const tab = world.openTab();
  const store = openMemoryStore(world.database());
  let revalidations = 0;
  const open = async () => {
    const machine = createHistoryMachine(tab, store, () => {
      revalidations += 1;
    });
    const actor = createActor(machine, {
      clock: world.clock.timers,
      input: { room: TEAM },
    }).start();
    stops.push(() => actor.stop());
    const view = () => selectHistory(actor.getSnapshot());
    const more = async () => {
      actor.send({ type: 'more.requested' });
      await settle();
    };
    await settle();
    /** Number of log messages that the thread shows. */
    const shown = () => {
      const { from } = view();
      return world.engine.log.filter(
        ({ timetoken }) =>
          from !== undefined &&
          timetoken >= from &&
          world.database().positions.get(TEAM)?.has(timetoken),
      ).length;
    };
    return { actor, view, more, shown, close: () => actor.stop() };
  };
  const pages = () => world.engine.calls.filter(({ operation }) => operation === 'history').length;
  return { world, tab, store, open, pages, revalidations: () => revalidations };
};
