import { toRoomKey } from '#domain/rooms.ts';
import { createMessageCommands } from '#machines/outbox/commands.ts';
import { selectSending } from '#machines/leader/view.ts';
import { createOutboxMachine } from '#machines/outbox/outbox.machine.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { MemoryWorld } from '#tests/support/memory-ports/memory-ports.ts';
import { openMemoryStore } from '#tests/support/memory-ports/store.ts';
import { createActor } from 'xstate';
import { afterEach } from 'vitest';

export const TEAM = toRoomKey('c_001', 'team');
export const GENERAL = toRoomKey('c_001', 'general');

const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** The outbox of a tab that begins to lead in an in-memory world; stopped after the test. */
export const prepareOutbox = async (world = new MemoryWorld()) => {
  const tab = world.openTab();
  const store = openMemoryStore(world.database());
  const taken = await store.takeFence('tab-1', 0);
  const fence = taken.ok ? taken.value : 0;
  const actor = createActor(createOutboxMachine(tab), {
    clock: world.clock.timers,
    input: { store, uid: 'u_me', fence },
  }).start();
  stops.push(() => actor.stop());
  const write = async (text: string, room = TEAM) => {
    const accepted = await createMessageCommands(tab, store, 'u_me').sendTo(room)(text);
    return accepted.ok ? accepted.value : '';
  };
  await settle();
  return {
    world,
    tab,
    store,
    write,
    /** Closes the tab. */
    stop: () => actor.stop(),
    sent: (room = TEAM) =>
      world.engine.log
        .filter((entry) => entry.room === room)
        .map(({ message }) => (message as { text: string }).text),
    tries: () => world.engine.calls.filter(({ operation }) => operation === 'publish').length,
    sending: () => [...selectSending(actor.getSnapshot()).values()],
    queue: () => world.database().items.map(({ text, state }) => `${state}: ${text}`),
  };
};
