import type { Ports } from '#domain/ports/ports.ts';
import type { LateMachines } from '#machines/app/desk.machine.ts';
import { createLeaderMachine } from '#machines/leader/leader.machine.ts';
import { createUnsentRestoreMachine } from '#machines/sign-out/unsent-restore.machine.ts';

/** The machines that are not needed before the content of a page. */
export const createLateMachines = (ports: Ports): LateMachines => ({
  leader: createLeaderMachine(ports),
  restore: createUnsentRestoreMachine(ports),
});
