import { useSelector } from '@xstate/react';
import type { ActorRefFrom, AnyActorRef, AnyMachineSnapshot } from 'xstate';

import type { deskMachine } from '#machines/desk.machine.ts';
import type { leaderMachine } from '#machines/leader.machine.ts';
import type { logoutMachine } from '#machines/logout.machine.ts';
import type { outboxMachine } from '#machines/outbox.machine.ts';
import type { sessionMachine } from '#machines/session.machine.ts';
import type { teamsMachine } from '#machines/teams.machine.ts';

import { useRuntime } from './runtime-context.ts';

/** A running part of a machine, by the id it was invoked under. */
const useChild = <T>(parent: AnyActorRef | undefined, id: string): T | undefined =>
  useSelector(
    parent,
    (snapshot: AnyMachineSnapshot | undefined) => snapshot?.children[id] as T | undefined,
  );

/** The session and sign-out of this page; they run as long as the page does. */
export const useSessionActor = (): ActorRefFrom<typeof sessionMachine> | undefined =>
  useChild<ActorRefFrom<typeof sessionMachine>>(useRuntime().app, 'session');

export const useLogoutActor = (): ActorRefFrom<typeof logoutMachine> | undefined =>
  useChild<ActorRefFrom<typeof logoutMachine>>(useRuntime().app, 'logout');

/** The signed-in user's desk and its parts; each undefined while it does not run here. */
export const useDeskActor = (): ActorRefFrom<typeof deskMachine> | undefined =>
  useChild<ActorRefFrom<typeof deskMachine>>(useRuntime().app, 'desk');

export const useTeamsActor = (): ActorRefFrom<typeof teamsMachine> | undefined =>
  useChild<ActorRefFrom<typeof teamsMachine>>(useDeskActor(), 'teams');

export const useLeaderActor = (): ActorRefFrom<typeof leaderMachine> | undefined =>
  useChild<ActorRefFrom<typeof leaderMachine>>(useDeskActor(), 'leader');

export const useOutboxActor = (): ActorRefFrom<typeof outboxMachine> | undefined =>
  useChild<ActorRefFrom<typeof outboxMachine>>(useLeaderActor(), 'outbox');
