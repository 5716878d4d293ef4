import { appMachine } from '#machines/app/app.machine.ts';
import { connectionMachine } from '#machines/connection/connection.machine.ts';
import { signOutCleanupMachine } from '#machines/sign-out/sign-out-cleanup.machine.ts';
import { deskMachine } from '#machines/app/desk.machine.ts';
import { historyMachine } from '#machines/history/history.machine.ts';
import { unsentRestoreMachine } from '#machines/sign-out/unsent-restore.machine.ts';
import { leaderMachine } from '#machines/leader/leader.machine.ts';
import { loginMachine } from '#machines/session/login.machine.ts';
import { logoutMachine } from '#machines/sign-out/logout.machine.ts';
import { outboxMachine } from '#machines/outbox/outbox.machine.ts';
import { retentionMachine } from '#machines/leader/retention.machine.ts';
import { roomSenderMachine } from '#machines/outbox/room-sender.machine.ts';
import { sessionMachine } from '#machines/session/session.machine.ts';
import { teamsMachine } from '#machines/teams/teams.machine.ts';
import { updateMachine } from '#machines/app/update.machine.ts';
import type { AnyStateMachine } from 'xstate';

/** Every machine by the name of its file. */
export const MACHINES: Readonly<Record<string, AnyStateMachine>> = {
  app: appMachine,
  connection: connectionMachine,
  desk: deskMachine,
  history: historyMachine,
  leader: leaderMachine,
  login: loginMachine,
  logout: logoutMachine,
  outbox: outboxMachine,
  retention: retentionMachine,
  'room-sender': roomSenderMachine,
  session: sessionMachine,
  'sign-out-cleanup': signOutCleanupMachine,
  teams: teamsMachine,
  'unsent-restore': unsentRestoreMachine,
  update: updateMachine,
};
