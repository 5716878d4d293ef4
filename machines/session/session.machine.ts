import type { SnapshotFrom } from 'xstate';

import { type SessionPorts, type SessionSetup, setupSession } from './session-setup.ts';

/** The user is not known yet. */
const toLoading = (session: SessionSetup) =>
  session.createStateConfig({
    initial: 'reading',
    states: {
      reading: {
        invoke: {
          src: 'findStored',
          onDone: [
            {
              guard: { type: 'isStored', params: ({ event }) => event.output },
              target: '#session.status.authenticated.unverified',
              actions: { type: 'keepSession', params: ({ event }) => event.output },
            },
            { target: 'unknown' },
          ],
          onError: { target: 'unknown', actions: 'reportFailure' },
        },
        after: { storedLimit: { target: 'unknown', actions: 'reportFailure' } },
        exit: 'notifyRead',
      },
      unknown: {
        on: { 'session.unreachable': '#session.status.unauthenticated.unknown' },
      },
    },
  });

/** The state that the app shows. */
const toStatus = (session: SessionSetup) =>
  session.createStateConfig({
    initial: 'loading',
    on: {
      'session.confirmed': {
        target: '.authenticated.verified',
        actions: { type: 'keepSession', params: ({ event }) => event.session },
      },
      'session.denied': '.unauthenticated.ended',
      'session.closed': '.unauthenticated.ended',
      'session.ended': '.unauthenticated.signedOut',
    },
    states: {
      loading: toLoading(session),
      authenticated: {
        initial: 'unverified',
        on: { 'session.closed': '#session.status.unauthenticated.signedOut' },
        states: {
          verified: {
            on: { 'session.unreachable': 'unverified' },
            after: {
              revalidationDue: [
                {
                  guard: 'isDue',
                  target: 'verified',
                  reenter: true,
                  actions: 'revalidateSession',
                },
                { target: 'verified', reenter: true },
              ],
            },
          },
          unverified: {
            after: {
              expiryCheck: [
                {
                  guard: 'hasExpired',
                  target: '#session.status.unauthenticated.ended',
                  actions: 'revalidateSession',
                },
                { target: 'unverified', reenter: true },
              ],
            },
          },
        },
      },
      unauthenticated: {
        initial: 'unknown',
        entry: 'forgetSession',
        states: {
          unknown: {},
          ended: {
            initial: 'clearing',
            states: {
              clearing: {
                invoke: {
                  src: 'clearStored',
                  onDone: 'cleared',
                  onError: { target: 'cleared', actions: 'reportFailure' },
                },
                after: { storageLimit: { target: 'cleared', actions: 'reportFailure' } },
              },
              cleared: {},
            },
          },
          signedOut: { on: { 'session.denied': {}, 'session.closed': {} } },
        },
      },
    },
  });

/** Ends every pause between two requests. */
const FETCH_AGAIN = {
  'network.returned': 'fetching',
  'page.shown': 'fetching',
  'session.changed': 'fetching',
  'session.revalidate': 'fetching',
} as const;

/** Requests to the server. */
const toRevalidation = (session: SessionSetup) =>
  session.createStateConfig({
    initial: 'starting',
    on: { 'session.ended': '.fetching' },
    states: {
      starting: { on: { 'stored.read': 'fetching' } },
      fetching: {
        invoke: {
          src: 'fetchSession',
          input: ({ context }) => context,
          onDone: { actions: { type: 'notifyAnswer', params: ({ event }) => event.output } },
          onError: { actions: ['reportFailure', 'notifyUnreachable'] },
        },
        after: { requestLimit: { actions: ['reportFailure', 'notifyUnreachable'] } },
        on: {
          'session.confirmed': 'idle',
          'session.denied': 'idle',
          'session.unreachable': 'retrying',
          'session.closed': 'retrying',
          'session.changed': { target: 'fetching', reenter: true },
        },
      },
      idle: {
        entry: 'resetAttempts',
        after: { pollInterval: { guard: 'isPolling', target: 'fetching' } },
        on: {
          ...FETCH_AGAIN,
          'poll.configured': { target: 'idle', reenter: true, actions: 'keepPoll' },
        },
      },
      retrying: {
        entry: 'countAttempt',
        after: { retryDelay: 'fetching' },
        on: FETCH_AGAIN,
      },
    },
  });

/**
 * The signed-in user. Region `status` is what the app shows, region `revalidation` requests the
 * session from the server. A stored session signs its user in at once, unverified, and the server's
 * answer confirms, replaces or ends it; without an answer it lasts until it expires. Only the
 * server's answer ends a verified one, regardless of the device's clock. While the page is visible,
 * it is requested in time to be renewed.
 */
export const createSessionMachine = (ports: SessionPorts) => {
  const session = setupSession(ports);
  return session.createMachine({
    id: 'session',
    context: { session: undefined, attempt: 0, pollMs: 0, renewMs: 0 },
    invoke: [{ src: 'watchEnvironment' }, { src: 'watchOtherTabs' }],
    type: 'parallel',
    on: { 'poll.configured': { actions: 'keepPoll' } },
    states: { status: toStatus(session), revalidation: toRevalidation(session) },
  });
};

/** The session as the screens see it (spec §4). */
export const selectSession = (snapshot: SnapshotFrom<ReturnType<typeof createSessionMachine>>) => {
  const isAuthenticated = snapshot.matches({ status: 'authenticated' });
  return {
    status: isAuthenticated
      ? ('authenticated' as const)
      : snapshot.matches({ status: 'loading' })
        ? ('loading' as const)
        : ('unauthenticated' as const),
    user: isAuthenticated ? snapshot.context.session?.user : undefined,
    /** Its user signed out explicitly, in this tab or another. */
    signedOut: snapshot.matches({ status: { unauthenticated: 'signedOut' } }),
  };
};
