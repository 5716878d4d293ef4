import { createConnectionMachine } from '#machines/connection/connection.machine.ts';
import { createDeskMachine } from '#machines/app/desk.machine.ts';
import { createHistoryMachine } from '#machines/history/history.machine.ts';
import { createUnsentRestoreMachine } from '#machines/sign-out/unsent-restore.machine.ts';
import { createLeaderMachine } from '#machines/leader/leader.machine.ts';
import { createLoginMachine } from '#machines/session/login.machine.ts';
import { createLogoutMachine } from '#machines/sign-out/logout.machine.ts';
import { createOutboxMachine } from '#machines/outbox/outbox.machine.ts';
import { createMarkLogMachine } from '#machines/mark-log/mark-log.machine.ts';
import { createPeriodMachine } from '#machines/period/period.machine.ts';
import { createRetentionMachine } from '#machines/leader/retention.machine.ts';
import { createRoomSenderMachine } from '#machines/outbox/room-sender.machine.ts';
import { createSessionMachine } from '#machines/session/session.machine.ts';
import { createTeamsMachine } from '#machines/teams/teams.machine.ts';
import { createUpdateMachine } from '#machines/app/update.machine.ts';
import { MemoryWorld } from '#tests/support/memory-ports/memory-ports.ts';
import { openMemoryStore } from '#tests/support/memory-ports/store.ts';
import { createWholeApp } from './whole-app.ts';
import type { AnyStateMachine } from 'xstate';

/** Machines are only rendered as diagrams, never run. */
const nullWorld = new MemoryWorld();
const nullPorts = nullWorld.openTab();
const nullStore = openMemoryStore(nullWorld.database());
const loadNothing = () => Promise.reject(new Error('Only rendered'));
const nullWork = { finish: () => Promise.resolve(true), watchQuiet: () => () => undefined };

/** Every machine by the name of its file. */
export const MACHINES: Readonly<Record<string, AnyStateMachine>> = {
  app: createWholeApp(nullPorts),
  connection: createConnectionMachine(nullPorts),
  desk: createDeskMachine(nullPorts, loadNothing),
  history: createHistoryMachine(nullPorts, nullStore, () => undefined),
  leader: createLeaderMachine(nullPorts),
  login: createLoginMachine(nullPorts),
  logout: createLogoutMachine(nullPorts),
  'mark-log': createMarkLogMachine(nullPorts),
  outbox: createOutboxMachine(nullPorts),
  period: createPeriodMachine(nullPorts, nullStore, () => undefined),
  retention: createRetentionMachine(nullPorts),
  'room-sender': createRoomSenderMachine(nullPorts),
  session: createSessionMachine(nullPorts),
  teams: createTeamsMachine(nullPorts),
  'unsent-restore': createUnsentRestoreMachine(nullPorts),
  update: createUpdateMachine(nullPorts, nullWork),
};
