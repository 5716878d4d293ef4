import { createSessionMachine, selectSession } from '#machines/session/session.machine.ts';
import type { MemoryWorld } from '#tests/support/memory-ports/memory-ports.ts';
import { type Actor, createActor } from 'xstate';

type SessionActor = Actor<ReturnType<typeof createSessionMachine>>;

const running: SessionActor[] = [];

/** What the screens see of a session, and whether the server has confirmed it. */
export const viewSession = (snapshot: Parameters<typeof selectSession>[0]) => ({
  ...selectSession(snapshot),
  verified: snapshot.matches({ status: { authenticated: 'verified' } }),
});

/** Starts the session of a tab. */
export const startSession = (world: MemoryWorld, tab = world.openTab()) => {
  const actor = createActor(createSessionMachine(tab), {
    clock: world.clock.timers,
  }).start();
  running.push(actor);
  return { actor, tab, view: () => viewSession(actor.getSnapshot()) };
};

/** Stops every session that a test started. */
export const stopSessions = (): void => {
  for (const actor of running.splice(0)) actor.stop();
};

/** How often the session was requested from the server. */
export const countAsked = (world: MemoryWorld): number =>
  world.server.calls.filter((call) => call === 'session').length;
