import { useMemo, useState } from 'react';
import { shallowEqual, useActorRef, useSelector } from '@xstate/react';

import { useStore } from '#db/hooks/store-context.ts';
import { findCause } from '#domain/link-status.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { createHistoryMachine, selectHistory } from '#machines/history/history.machine.ts';
import { selectBrowserLink, selectSending } from '#machines/leader/view.ts';
import { createMessageCommands } from '#machines/outbox/commands.ts';
import type { Returned } from '#machines/sign-out/restore-unsent.ts';
import { selectTeams } from '#machines/teams/teams.machine.ts';

import { useRuntime } from './runtime-context.ts';

/** Gives the signed-in pages access to the machines of the signed-in part. */

/** The signed-in part of the user; undefined until its code has loaded. */
export const useDeskActor = () => useSelector(useRuntime().app, ({ context }) => context.desk);

const useLeaderActor = () => useSelector(useDeskActor(), (snapshot) => snapshot?.context.leader);

const TEAMS_LOADING = { state: 'loading', refetching: false, failed: false } as const;

export const useTeamsStatus = () => {
  const teams = useSelector(useDeskActor(), (snapshot) => snapshot?.children.teams);
  const view = useSelector(
    teams,
    (snapshot) => (snapshot === undefined ? TEAMS_LOADING : selectTeams(snapshot)),
    shallowEqual,
  );
  return { ...view, retry: () => teams?.send({ type: 'retry.requested' }) };
};

export type TeamsView = ReturnType<typeof useTeamsStatus>;

/** The store of the signed-in user; only screens within `DeskGate` use it. */
export const useOpenStore = () => {
  const store = useStore();
  if (store === undefined) throw new Error('No store is open');
  return store;
};

/** Runs the history of one room; the calling component must be keyed by the room. */
export const useHistory = (room: RoomKey) => {
  const { ports, signalSession } = useRuntime();
  const store = useOpenStore();
  const machine = useMemo(
    () => createHistoryMachine(ports, store, () => signalSession({ type: 'session.revalidate' })),
    [ports, store, signalSession],
  );
  const history = useActorRef(machine, { input: { room } });
  const view = useSelector(history, selectHistory, shallowEqual);
  return useMemo(
    () => ({
      ...view,
      /** `isFar`: loading towards a message far back. */
      fetchMore: (isFar = false) => history.send({ type: 'more.requested', isFar }),
      retry: () => history.send({ type: 'retry.requested' }),
    }),
    [view, history],
  );
};

export type HistoryView = ReturnType<typeof useHistory>;

export const useConnection = () => {
  const leader = useLeaderActor();
  const link = useSelector(leader, selectBrowserLink);
  return {
    /** `blocked`: the server is reachable, but does not accept messages at the moment. */
    kind: link.kind === 'online' && link.blocked === true ? ('blocked' as const) : link.kind,
    isCatchingUp: link.kind === 'online' && link.catchingUp === true,
    /** Some missed messages could not be read so far. */
    isIncomplete: link.kind === 'online' && link.incomplete === true,
    retryAt: link.kind === 'waiting' ? link.retryAt : undefined,
    cause: findCause(link),
    tryNow: () => leader?.send({ type: 'retry.requested' }),
  };
};

export type ConnectionView = ReturnType<typeof useConnection>;

/**
 * The state of the connection, given the present one, which another attempt to reach the server
 * does not change: it stays `waiting` until one succeeds.
 */
export const useSteadyKind = (kind: ConnectionView['kind']): ConnectionView['kind'] => {
  const [last, setLast] = useState(kind);
  const steady = kind === 'connecting' && last === 'waiting' ? last : kind;
  if (steady !== last) setLast(steady);
  return steady;
};

/** The id of the message that this tab is sending to a room right now. */
export const useSending = (room: RoomKey): string | undefined => {
  const outbox = useSelector(useLeaderActor(), (snapshot) => snapshot?.children.outbox);
  return useSelector(outbox, (snapshot) => selectSending(snapshot).get(room));
};

const NOTHING: Returned = { loss: 'none', unreadable: false };

/** The notices about kept messages and about a lost store. */
export const useReturned = () => {
  const restore = useSelector(useDeskActor(), (snapshot) => snapshot?.context.restore);
  const view = useSelector(restore, (snapshot) => snapshot?.context.returned ?? NOTHING);
  const hasFailed = useSelector(restore, (snapshot) => snapshot?.matches({ settled: 'failed' }));
  return {
    ...view,
    /** The kept messages could not be discarded. */
    hasFailed,
    dismissLoss: () => restore?.send({ type: 'loss.dismissed' }),
    discardUnreadable: () => restore?.send({ type: 'discard.chosen' }),
  };
};

export type ReturnedView = ReturnType<typeof useReturned>;

/** The signed-in user's commands on messages. */
export const useMessageCommands = () => {
  const { ports } = useRuntime();
  const store = useOpenStore();
  const { uid } = store.database;
  return useMemo(() => createMessageCommands(ports, store, uid), [ports, store, uid]);
};
