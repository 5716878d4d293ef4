import { toRoomKey } from '#domain/rooms.ts';
import { fromEpochMs } from '#domain/timetoken.ts';
import { createMessageCommands } from '#machines/outbox/commands.ts';
import { selectLogout } from '#machines/sign-out/logout.machine.ts';
import { selectSession } from '#machines/session/session.machine.ts';
import { createWholeApp } from '#tests/support/machines/whole-app.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { MemoryWorld, sessionOf } from '#tests/support/memory-ports/memory-ports.ts';
import { createActor } from 'xstate';
import { afterEach } from 'vitest';

const TEAM = toRoomKey('c_001', 'team');
const MAR_1 = fromEpochMs(Date.parse('2026-03-01'));

const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** Opens a page on a device. */
export const openPage = async (world: MemoryWorld) => {
  const tab = world.openTab();
  const actor = createActor(createWholeApp(tab), {
    clock: world.clock.timers,
  }).start();
  const stop = () => actor.stop();
  stops.push(stop);
  await settle();
  const { session, logout } = actor.getSnapshot().children;
  const desk = () => actor.getSnapshot().context.desk?.getSnapshot();
  const store = () => desk()?.context.store;
  return {
    tab,
    stop,
    session: session!,
    logout: logout!,
    deskError: () => desk()?.context.error,
    uid: () => selectSession(session!.getSnapshot()).user?.uid,
    state: () => selectLogout(logout!.getSnapshot()).state,
    leave: (hasDrafts = () => false) =>
      logout!.send({ type: 'logout.requested', uid: 'u_me', store: store(), hasDrafts }),
    markDone: () => store()!.recordMarks([{ kind: 'done', room: TEAM, value: MAR_1 }]),
    read: () => store()!.append([{ type: 'v1.RoomRead', room: TEAM, timetoken: MAR_1 }]),
    write: async (text: string) => {
      const accepted = await createMessageCommands(tab, store()!, 'u_me').sendTo(TEAM)(text);
      return accepted.ok ? accepted.value : '';
    },
  };
};

/** A device with one page on which u_me is signed in. */
export const signedIn = async () => {
  const world = new MemoryWorld();
  world.server.session = sessionOf('u_me');
  const first = await openPage(world);
  const goOffline = () => {
    world.server.failure = { kind: 'unreachable' };
    for (const call of ['publish', 'own', 'staff'] as const) {
      world.engine.fail(call, { kind: 'unreachable' });
    }
  };
  const goOnline = () => {
    world.server.failure = undefined;
    world.engine.heal();
  };
  return { world, first, goOffline, goOnline };
};
