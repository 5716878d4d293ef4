import type { Session } from '#domain/schemas/session.ts';
import { assign, raise, setup, type SnapshotFrom } from 'xstate';

import { missing, missingTask } from '../kit/task.ts';

export type SessionSignal =
  | { readonly type: 'stored.found'; readonly session: Session }
  | { readonly type: 'stored.missing' }
  /** The server's word. */
  | { readonly type: 'session.confirmed'; readonly session: Session }
  | { readonly type: 'session.denied' }
  /** Somebody signed out on this device, whatever the server says: it is yet to hear of it. */
  | { readonly type: 'session.closed' }
  /** No word from the server: the network failed, or the answer was none. */
  | { readonly type: 'session.unanswered' }
  /** Another request was answered 401. */
  | { readonly type: 'session.revalidate' }
  /** Somebody signed in or out, here or in another tab. */
  | { readonly type: 'session.changed' }
  /** This tab signed out. */
  | { readonly type: 'session.ended' }
  /** The refetch interval (spec §4), seconds; 0 for none. */
  | { readonly type: 'poll.configured'; readonly seconds: number }
  | { readonly type: 'page.shown' }
  | { readonly type: 'network.returned' };

export interface SessionContext {
  /** The last known session; only shown while authenticated. */
  readonly session: Session | undefined;
  /** Unanswered requests in a row. */
  readonly attempt: number;
  /** 0: no polling. */
  readonly pollMs: number;
}

export type AskInput = Pick<SessionContext, 'attempt' | 'session'>;

/**
 * Who is signed in. Region `status` is what the app shows, region `inquiry` asks the server.
 * When the network fails, the stored session keeps the app open, unverified, until it
 * expires; a verified one ends by the server's own word alone, whatever the device's clock.
 */
export const sessionMachine = setup({
  types: {
    context: {} as SessionContext,
    events: {} as SessionSignal,
  },
  actors: {
    findStored: missingTask('findStored'),
    clearStored: missingTask('clearStored'),
    askServer: missingTask<AskInput>('askServer'),
    watchEnvironment: missingTask('watchEnvironment'),
    watchOtherTabs: missingTask('watchOtherTabs'),
  },
  actions: {
    keepSession: assign(({ context, event }) => ({
      session: 'session' in event ? event.session : context.session,
    })),
    forgetSession: assign({ session: undefined }),
    countAttempt: assign({ attempt: ({ context }) => context.attempt + 1 }),
    resetAttempts: assign({ attempt: 0 }),
    keepPoll: assign(({ event }) =>
      event.type === 'poll.configured' ? { pollMs: event.seconds * 1000 } : {},
    ),
    revalidateSession: raise({ type: 'session.revalidate' }),
  },
  guards: {
    isPolling: ({ context }) => context.pollMs > 0,
    hasExpired: missing('hasExpired'),
  },
  delays: {
    patience: missing('patience'),
    revalidationDue: missing('revalidationDue'),
    expiryCheck: missing('expiryCheck'),
    retryDelay: missing('retryDelay'),
    pollInterval: ({ context }) => context.pollMs,
  },
}).createMachine({
  id: 'session',
  context: { session: undefined, attempt: 0, pollMs: 0 },
  invoke: [{ src: 'watchEnvironment' }, { src: 'watchOtherTabs' }],
  type: 'parallel',
  on: { 'poll.configured': { actions: 'keepPoll' } },
  states: {
    status: {
      initial: 'loading',
      on: {
        'session.confirmed': { target: '.authenticated.verified', actions: 'keepSession' },
        'session.denied': '.unauthenticated.ended',
        'session.closed': '.unauthenticated.ended',
        'session.ended': '.unauthenticated.left',
      },
      states: {
        loading: {
          initial: 'reading',
          states: {
            reading: {
              invoke: { src: 'findStored' },
              on: {
                'stored.found': { target: 'remembered', actions: 'keepSession' },
                'stored.missing': 'unknown',
              },
            },
            remembered: {
              after: { patience: '#session.status.authenticated.unverified' },
              on: { 'session.unanswered': '#session.status.authenticated.unverified' },
            },
            unknown: {
              on: { 'session.unanswered': '#session.status.unauthenticated.unknown' },
            },
          },
        },
        authenticated: {
          initial: 'unverified',
          on: { 'session.closed': '#session.status.unauthenticated.left' },
          states: {
            verified: {
              on: { 'session.unanswered': 'unverified' },
              after: {
                revalidationDue: [
                  {
                    guard: 'hasExpired',
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
                  { guard: 'hasExpired', target: 'expired' },
                  { target: 'unverified', reenter: true },
                ],
              },
            },
            expired: {
              entry: 'revalidateSession',
              always: '#session.status.unauthenticated.ended',
            },
          },
        },
        unauthenticated: {
          initial: 'unknown',
          entry: 'forgetSession',
          states: {
            unknown: {},
            ended: { invoke: { src: 'clearStored' } },
            left: { on: { 'session.denied': {}, 'session.closed': {} } },
          },
        },
      },
    },
    inquiry: {
      initial: 'starting',
      on: { 'session.ended': '.asking' },
      states: {
        starting: {
          on: { 'stored.found': 'asking', 'stored.missing': 'asking' },
        },
        asking: {
          invoke: { src: 'askServer', input: ({ context }) => context },
          on: {
            'session.confirmed': 'resting',
            'session.denied': 'resting',
            'session.unanswered': 'retrying',
            'session.closed': 'retrying',
            'session.changed': { target: 'asking', reenter: true },
          },
        },
        resting: {
          initial: 'choosing',
          entry: 'resetAttempts',
          on: {
            'network.returned': 'asking',
            'page.shown': 'asking',
            'session.changed': 'asking',
            'session.revalidate': 'asking',
            'poll.configured': { target: '.choosing', actions: 'keepPoll' },
          },
          states: {
            choosing: { always: [{ guard: 'isPolling', target: 'polling' }, 'still'] },
            still: {},
            polling: { after: { pollInterval: '#session.inquiry.asking' } },
          },
        },
        retrying: {
          entry: 'countAttempt',
          after: { retryDelay: 'asking' },
          on: {
            'network.returned': 'asking',
            'page.shown': 'asking',
            'session.changed': 'asking',
            'session.revalidate': 'asking',
          },
        },
      },
    },
  },
});

/** What the screens see of the session (spec §4). */
export const selectSession = (snapshot: SnapshotFrom<typeof sessionMachine>) => {
  const isAuthenticated = snapshot.matches({ status: 'authenticated' });
  return {
    status: isAuthenticated
      ? ('authenticated' as const)
      : snapshot.matches({ status: 'loading' })
        ? ('loading' as const)
        : ('unauthenticated' as const),
    user: isAuthenticated ? snapshot.context.session?.user : undefined,
    verified: snapshot.matches({ status: { authenticated: 'verified' } }),
    /** Its user signed out by hand, in this tab or another. */
    left: snapshot.matches({ status: { unauthenticated: 'left' } }),
  };
};
