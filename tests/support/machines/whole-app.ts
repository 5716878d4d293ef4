import type { Ports } from '#domain/ports/ports.ts';
import { createAppMachine } from '#machines/app/app.machine.ts';
import { createDeskMachine } from '#machines/app/desk.machine.ts';
import { createLeaderMachine } from '#machines/leader/leader.machine.ts';
import { createUnsentRestoreMachine } from '#machines/sign-out/unsent-restore.machine.ts';

/** The machines that a page loads last. */
export const createLateMachines = (ports: Ports, createLeader = createLeaderMachine) => ({
  leader: createLeader(ports),
  restore: createUnsentRestoreMachine(ports),
});

/** The machine of a page whose code has loaded. */
export const createWholeApp = (
  ports: Ports,
  createLeader = createLeaderMachine,
): ReturnType<typeof createAppMachine> =>
  createAppMachine(ports, async () =>
    createDeskMachine(ports, async () => createLateMachines(ports, createLeader)),
  );
