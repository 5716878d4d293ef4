import { toRoomKey } from '#domain/rooms.ts';
import { createLeaderMachine } from '#machines/leader/leader.machine.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { MemoryWorld } from '#tests/support/memory-ports/memory-ports.ts';
import { openMemoryStore } from '#tests/support/memory-ports/store.ts';
import { createActor } from 'xstate';
import { expect, it } from 'vitest';

const TEAM = toRoomKey('c_001', 'team');
const GENERAL = toRoomKey('c_001', 'general');

it('a new leader resumes where the last one stopped, not at the coverage of a room', async () => {
  const world = new MemoryWorld();
  const store = openMemoryStore(world.database());
  const lead = async () => {
    const actor = createActor(createLeaderMachine(world.openTab()), {
      clock: world.clock.timers,
      input: { store, uid: 'u_me' },
    }).start();
    await settle();
    await world.clock.advance(5000);
    return () => actor.stop();
  };
  const know = async (room = TEAM) => {
    const place = world.engine.newest;
    await store.append([
      { type: 'v1.HistoryPageLoaded', room, from: place, to: place, reachedStart: true },
    ]);
  };
  world.engine.write(TEAM, { text: 'known' });
  await know(TEAM);
  const stop = await lead();
  stop();
  const missed = world.engine.write(TEAM, { text: 'missed' });
  // Another room is opened and read before any tab leads.
  world.engine.write(GENERAL, { text: 'elsewhere' });
  await know(GENERAL);
  world.engine.fail('counts', { kind: 'server', status: 503 });
  world.engine.fail('history', { kind: 'server', status: 503 });
  const stopAgain = await lead();
  const live = world.engine.write(TEAM, { text: 'live' });
  await settle();
  stopAgain();
  const stored = world.database().positions.get(TEAM);
  expect([missed, live].map(({ timetoken }) => stored?.has(timetoken))).toEqual([true, true]);
});
