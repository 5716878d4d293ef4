import { appMachine } from '#machines/app.machine.ts';
import { connectionMachine } from '#machines/connection.machine.ts';
import { departuresMachine } from '#machines/departures.machine.ts';
import { deskMachine } from '#machines/desk.machine.ts';
import { historyMachine } from '#machines/history.machine.ts';
import { keptMachine } from '#machines/kept.machine.ts';
import { leaderMachine } from '#machines/leader.machine.ts';
import { loginMachine } from '#machines/login.machine.ts';
import { logoutMachine } from '#machines/logout.machine.ts';
import { outboxMachine } from '#machines/outbox.machine.ts';
import { retentionMachine } from '#machines/retention.machine.ts';
import { roomSenderMachine } from '#machines/room-sender.machine.ts';
import { searchPanelMachine } from '#machines/search-panel.machine.ts';
import { sessionMachine } from '#machines/session.machine.ts';
import { teamsMachine } from '#machines/teams.machine.ts';
import { updateMachine } from '#machines/update.machine.ts';
import type { AnyStateMachine } from 'xstate';

/** Every machine by the name of its file. */
export const MACHINES: Readonly<Record<string, AnyStateMachine>> = {
  app: appMachine,
  connection: connectionMachine,
  departures: departuresMachine,
  desk: deskMachine,
  history: historyMachine,
  kept: keptMachine,
  leader: leaderMachine,
  login: loginMachine,
  logout: logoutMachine,
  outbox: outboxMachine,
  retention: retentionMachine,
  'room-sender': roomSenderMachine,
  'search-panel': searchPanelMachine,
  session: sessionMachine,
  teams: teamsMachine,
  update: updateMachine,
};
