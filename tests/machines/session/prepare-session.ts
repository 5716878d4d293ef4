import { createSessionMachine, selectSession } from '#machines/session/session.machine.ts';
import type { MemoryWorld } from '#tests/support/memory-ports/memory-ports.ts';
import { type Actor, createActor } from 'xstate';

type SessionActor = Actor<ReturnType<typeof createSessionMachine>>;

const running: SessionActor[] = [];

/** Starts the session of a tab; `view` is what the screens see. */
export const startSession = (world: MemoryWorld, tab = world.openTab()) => {
  const actor = createActor(createSessionMachine(tab), {
    clock: world.clock.timers,
  }).start();
  running.push(actor);
  return { actor, tab, view: () => selectSession(actor.getSnapshot()) };
};

/** Stops every session that a test started. */
export const stopSessions = (): void => {
  for (const actor of running.splice(0)) actor.stop();
};

/** How often the session was requested from the server. */
export const countAsked = (world: MemoryWorld): number =>
  world.server.calls.filter((call) => call === 'session').length;
