import { assertEvent, assign, sendTo, setup, type SnapshotFrom } from 'xstate';

import { signOutCleanupMachine } from '../sign-out/sign-out-cleanup.machine.ts';
import { deskMachine } from './desk.machine.ts';
import { SESSION_ID } from '../kit/revalidate-session.ts';
import { logoutMachine } from '../sign-out/logout.machine.ts';
import { selectSession, sessionMachine } from '../session/session.machine.ts';

export type AppSignal =
  | {
      readonly type: 'xstate.snapshot.session';
      readonly snapshot: SnapshotFrom<typeof sessionMachine>;
    }
  | { readonly type: 'logout.done' };

export interface AppContext {
  readonly uid: string | undefined;
}

/** Who is signed in according to a session's snapshot. */
const findUid = (event: AppSignal): string | undefined => {
  assertEvent(event, 'xstate.snapshot.session');
  return selectSession(event.snapshot).user?.uid;
};

/**
 * The whole page: the session, signing out, and one desk for the signed-in user. Somebody
 * else's sign-in stops the old desk and closes its store before a new one opens.
 */
export const appMachine = setup({
  types: {
    context: {} as AppContext,
    events: {} as AppSignal,
    children: {} as {
      session: 'session';
      logout: 'logout';
      departures: 'departures';
      desk: 'desk';
    },
  },
  actors: {
    session: sessionMachine,
    logout: logoutMachine,
    desk: deskMachine,
    departures: signOutCleanupMachine,
  },
  actions: {
    keepUid: assign(({ event }) => ({ uid: findUid(event) })),
    forgetUid: assign({ uid: undefined }),
    endSession: sendTo('session', { type: 'session.ended' }),
    beginDeparture: sendTo('departures', { type: 'departures.begun' }),
    cancelLogout: sendTo('logout', { type: 'logout.cancelled' }),
  },
  guards: {
    isOtherUser: ({ context, event }) => {
      const uid = findUid(event);
      return uid !== undefined && uid !== context.uid;
    },
    isNobody: ({ context, event }) => findUid(event) === undefined && context.uid !== undefined,
  },
}).createMachine({
  id: 'app',
  context: { uid: undefined },
  invoke: [
    {
      id: 'session',
      systemId: SESSION_ID,
      src: 'session',
      onSnapshot: [
        {
          guard: 'isOtherUser',
          target: '.open',
          actions: ['keepUid', 'cancelLogout', 'beginDeparture'],
        },
        {
          guard: 'isNobody',
          target: '.closed',
          actions: ['forgetUid', 'cancelLogout', 'beginDeparture'],
        },
      ],
    },
    { id: 'logout', src: 'logout' },
    { id: 'departures', src: 'departures' },
  ],
  on: { 'logout.done': { actions: 'endSession' } },
  initial: 'closed',
  states: {
    closed: {},
    open: {
      invoke: {
        id: 'desk',
        src: 'desk',
        input: ({ context }) => ({ uid: mustHaveUid(context) }),
      },
    },
  },
});

function mustHaveUid({ uid }: AppContext): string {
  if (uid === undefined) throw new Error('Nobody is signed in');
  return uid;
}
