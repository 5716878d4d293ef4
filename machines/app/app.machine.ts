import type { Ports } from '#domain/ports/ports.ts';
import {
  type ActorRefFrom,
  type AnyActorRef,
  assign,
  fromPromise,
  sendTo,
  setup,
  stopChild,
} from 'xstate';

import { reportFailure } from '../kit/answer.ts';
import type { Receiver } from '../kit/from-subscription.ts';
import { REQUEST_LIMIT_MS, SIGN_OUT_CLEANUP_LIMIT_MS } from '../kit/limits.ts';
import { toRefetchDelay } from '../kit/refetch-delay.ts';
import { SESSION_ID } from '../kit/revalidate-session.ts';
import { createSessionMachine, selectSession } from '../session/session.machine.ts';
import { createLogoutMachine, type LogoutSignal } from '../sign-out/logout.machine.ts';
import { purgeSignedOutUsers } from '../sign-out/purge-user-data.ts';
import type { DeskMachine } from './desk.machine.ts';

export interface AppContext {
  readonly uid: string | undefined;
  /** The signed-in part of this user; undefined until its code has loaded. */
  readonly desk: ActorRefFrom<DeskMachine> | undefined;
  /** Consecutive failed clean-ups. */
  readonly attempt: number;
}

const LOGOUT_ID = 'logout';

const findLogout = ({ system }: Pick<AnyActorRef, 'system'>): Receiver<LogoutSignal> =>
  system.get(LOGOUT_ID);

/** Loads the machine of the signed-in part; rejects if its code cannot be loaded. */
type LoadDesk = () => Promise<DeskMachine>;

const setupApp = (ports: Ports, loadDesk: LoadDesk) =>
  setup({
    types: {
      context: {} as AppContext,
      children: {} as { session: 'session'; logout: 'logout' },
    },
    actors: {
      session: createSessionMachine(ports),
      logout: createLogoutMachine(ports),
      loadDesk: fromPromise(loadDesk),
      purgeSignedOutUsers: fromPromise<boolean>(({ signal }) => purgeSignedOutUsers(ports, signal)),
    },
    actions: {
      keepUid: assign((_, uid: string | undefined) => ({ uid })),
      startDesk: assign(({ context, spawn }, desk: DeskMachine) => ({
        desk: spawn(desk, { input: { uid: mustHaveUid(context) } }),
      })),
      stopDesk: stopChild(({ context }) => context.desk ?? ''),
      dropDesk: assign({ desk: undefined }),
      cancelLogout: sendTo(findLogout, { type: 'logout.cancelled' }),
      countAttempt: assign({ attempt: ({ context }) => context.attempt + 1 }),
      resetAttempts: assign({ attempt: 0 }),
      reportFailure: reportFailure(ports),
    },
    guards: {
      isOtherUser: ({ context }, uid: string | undefined) =>
        uid !== undefined && uid !== context.uid,
      isNobody: ({ context }, uid: string | undefined) =>
        uid === undefined && context.uid !== undefined,
      isAllPurged: (_, isAllPurged: boolean) => isAllPurged,
    },
    delays: {
      loadLimit: REQUEST_LIMIT_MS,
      loadRetryDelay: () => toRefetchDelay(ports, 1),
      cleanupLimit: SIGN_OUT_CLEANUP_LIMIT_MS,
      retryDelay: ({ context }) => toRefetchDelay(ports, context.attempt, 1),
    },
  });

/** The signed-in user, according to the session. */
const toUid = ({
  event,
}: {
  readonly event: { readonly snapshot: Parameters<typeof selectSession>[0] };
}): string | undefined => selectSession(event.snapshot).user?.uid;

/**
 * The whole page: the session, sign-out, and the signed-in part of the user, whose code is needed
 * from the first user on. Another user's sign-in stops the old part and closes its store before a
 * new one opens. Region `cleanup` deletes the data of signed-out users on this device until none is
 * left; another tab's open connection or a full disk may delay it.
 */
export const createAppMachine = (ports: Ports, loadDesk: LoadDesk) =>
  setupApp(ports, loadDesk).createMachine({
    id: 'app',
    context: { uid: undefined, desk: undefined, attempt: 0 },
    invoke: [
      {
        id: 'session',
        systemId: SESSION_ID,
        src: 'session',
        onSnapshot: [
          {
            guard: { type: 'isOtherUser', params: toUid },
            target: ['.desk.loading', '.cleanup.purging'],
            actions: [{ type: 'keepUid', params: toUid }, 'cancelLogout'],
          },
          {
            guard: { type: 'isNobody', params: toUid },
            target: ['.desk.closed', '.cleanup.purging'],
            actions: [{ type: 'keepUid', params: toUid }, 'cancelLogout'],
          },
        ],
      },
      { id: 'logout', systemId: LOGOUT_ID, src: 'logout' },
    ],
    type: 'parallel',
    states: {
      desk: {
        initial: 'closed',
        states: {
          closed: {},
          loading: {
            invoke: {
              src: 'loadDesk',
              onDone: {
                target: 'open',
                actions: { type: 'startDesk', params: ({ event }) => event.output },
              },
              onError: { target: 'unloaded', actions: 'reportFailure' },
            },
            after: { loadLimit: { target: 'unloaded', actions: 'reportFailure' } },
          },
          unloaded: { after: { loadRetryDelay: 'loading' } },
          open: { exit: ['stopDesk', 'dropDesk'] },
        },
      },
      cleanup: {
        initial: 'purging',
        states: {
          purging: {
            invoke: {
              src: 'purgeSignedOutUsers',
              onDone: [
                {
                  guard: { type: 'isAllPurged', params: ({ event }) => event.output },
                  target: 'done',
                  actions: 'resetAttempts',
                },
                { target: 'waiting' },
              ],
              onError: { target: 'waiting', actions: 'reportFailure' },
            },
            after: { cleanupLimit: { target: 'waiting', actions: 'reportFailure' } },
          },
          waiting: { entry: 'countAttempt', after: { retryDelay: 'purging' } },
          done: {},
        },
      },
    },
  });

function mustHaveUid({ uid }: AppContext): string {
  if (uid === undefined) throw new Error('Nobody is signed in');
  return uid;
}
