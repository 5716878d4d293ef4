import { createAppMachine } from '#machines/app/app.machine.ts';
import { connectionMachine } from '#machines/connection/connection.machine.ts';
import { createDeskMachine } from '#machines/app/desk.machine.ts';
import { historyMachine } from '#machines/history/history.machine.ts';
import { unsentRestoreMachine } from '#machines/sign-out/unsent-restore.machine.ts';
import { leaderMachine } from '#machines/leader/leader.machine.ts';
import { loginMachine } from '#machines/session/login.machine.ts';
import { createLogoutMachine } from '#machines/sign-out/logout.machine.ts';
import { outboxMachine } from '#machines/outbox/outbox.machine.ts';
import { retentionMachine } from '#machines/leader/retention.machine.ts';
import { roomSenderMachine } from '#machines/outbox/room-sender.machine.ts';
import { sessionMachine } from '#machines/session/session.machine.ts';
import { createTeamsMachine } from '#machines/teams/teams.machine.ts';
import { updateMachine } from '#machines/app/update.machine.ts';
import { MemoryWorld } from '#tests/support/memory-ports/memory-ports.ts';
import type { AnyStateMachine } from 'xstate';

/** Machines are drawn and never run. */
const nullPorts = new MemoryWorld().openTab();

/** Every machine by the name of its file. */
export const MACHINES: Readonly<Record<string, AnyStateMachine>> = {
  app: createAppMachine(nullPorts),
  connection: connectionMachine,
  desk: createDeskMachine(nullPorts),
  history: historyMachine,
  leader: leaderMachine,
  login: loginMachine,
  logout: createLogoutMachine(nullPorts),
  outbox: outboxMachine,
  retention: retentionMachine,
  'room-sender': roomSenderMachine,
  session: sessionMachine,
  teams: createTeamsMachine(nullPorts),
  'unsent-restore': unsentRestoreMachine,
  update: updateMachine,
};
