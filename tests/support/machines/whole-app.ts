import type { Ports } from '#domain/ports/ports.ts';
import { createAppMachine } from '#machines/app/app.machine.ts';
import { createDeskMachine } from '#machines/app/desk.machine.ts';
import { createLeaderMachine } from '#machines/leader/leader.machine.ts';

/** The machine of a page whose code has loaded. */
export const createWholeApp = (
  ports: Ports,
  createLeader = createLeaderMachine,
): ReturnType<typeof createAppMachine> =>
  createAppMachine(ports, async () => createDeskMachine(ports, async () => createLeader(ports)));
