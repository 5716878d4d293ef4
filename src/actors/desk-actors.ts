import { useSelector } from '@xstate/react';

import { useRuntime } from './runtime-context.ts';

/** The session and sign-out actors of this page; they run as long as the page does. */
export const useSessionActor = () =>
  useSelector(useRuntime().app, ({ children }) => children.session);

export const useLogoutActor = () =>
  useSelector(useRuntime().app, ({ children }) => children.logout);

/** The signed-in user's desk actor and its parts; each undefined while it does not run here. */
export const useDeskActor = () => useSelector(useRuntime().app, ({ children }) => children.desk);

export const useKeptActor = () =>
  useSelector(useDeskActor(), (snapshot) => snapshot?.children.kept);

export const useTeamsActor = () =>
  useSelector(useDeskActor(), (snapshot) => snapshot?.children.teams);

export const useLeaderActor = () =>
  useSelector(useDeskActor(), (snapshot) => snapshot?.children.leader);

export const useOutboxActor = () =>
  useSelector(useLeaderActor(), (snapshot) => snapshot?.children.outbox);
