import { toRoomKey } from '#domain/rooms.ts';
import { createAppMachine } from '#machines/app/app.machine.ts';
import { createDeskMachine } from '#machines/app/desk.machine.ts';
import { createMessageCommands } from '#machines/outbox/commands.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { createLateMachines } from '#tests/support/machines/whole-app.ts';
import { MemoryWorld, sessionOf } from '#tests/support/memory-ports/memory-ports.ts';
import { openMemoryStore } from '#tests/support/memory-ports/store.ts';
import { createActor } from 'xstate';
import { expect, it, onTestFinished } from 'vitest';

const TEAM = toRoomKey('c_001', 'team');

it('the code of the signed-in part and of the leader loads again after a failure', async () => {
  const world = new MemoryWorld();
  world.server.session = sessionOf('u_me');
  const tab = world.openTab();
  const loads = { desk: 0, late: 0 };
  const loadSecondTime = async <T>(part: keyof typeof loads, code: T): Promise<T> => {
    loads[part] += 1;
    if (loads[part] === 1) throw new Error('offline');
    return code;
  };
  const loadLate = () => loadSecondTime('late', createLateMachines(tab));
  const loadDesk = () => loadSecondTime('desk', createDeskMachine(tab, loadLate));
  const actor = createActor(createAppMachine(tab, loadDesk), { clock: world.clock.timers });
  onTestFinished(() => void actor.stop());
  actor.start();
  const store = openMemoryStore(world.database());
  await createMessageCommands(tab, store, 'u_me').sendTo(TEAM)('hello');
  await settle();
  expect([loads, world.engine.log.length]).toEqual([{ desk: 1, late: 0 }, 0]);
  await world.clock.advance(2000);
  expect([loads, world.engine.log.length]).toEqual([{ desk: 2, late: 1 }, 0]);
  await world.clock.advance(2000);
  expect([loads, world.engine.log.length]).toEqual([{ desk: 2, late: 2 }, 1]);
});
