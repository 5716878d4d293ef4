import type { Ports } from '#domain/ports/ports.ts';
import type { Session } from '#domain/schemas/session.ts';
import { assign, raise, setup } from 'xstate';

import { reportFailure } from '../kit/answer.ts';
import { fromSubscription } from '../kit/from-subscription.ts';
import {
  REQUEST_LIMIT_MS,
  SESSION_EXPIRED_CHECK_MS,
  SESSION_EXPIRY_CHECK_MS,
  SESSION_STORAGE_LIMIT_MS,
  STORAGE_LIMIT_MS,
} from '../kit/limits.ts';
import { toRefetchDelay } from '../kit/refetch-delay.ts';
import type { SessionRequest } from '../kit/revalidate-session.ts';
import { type EnvironmentSignal, watchEnvironment } from '../kit/watch-environment.ts';
import {
  type SessionRequestInput,
  type SessionAnswer,
  toRemainingMs,
  toSessionSources,
} from './session-sources.ts';

export type SessionSignal =
  | SessionAnswer
  | SessionRequest
  /** The stored session was read, or is unavailable. */
  | { readonly type: 'stored.read' }
  /** A sign-in or sign-out, here or in another tab. */
  | { readonly type: 'session.changed' }
  /** The refetch interval (spec §4), seconds; 0 for none. */
  | { readonly type: 'poll.configured'; readonly seconds: number }
  | EnvironmentSignal;

/** `selectSession` shows the session only while it is authenticated. */
export interface SessionContext extends SessionRequestInput {
  /** 0: no polling. */
  readonly pollMs: number;
  /** Time left at which a session in use is requested, so that the server renews it, ms. */
  readonly renewMs: number;
}

export type SessionPorts = Pick<
  Ports,
  'clock' | 'random' | 'device' | 'sessionApi' | 'environment' | 'clientLog'
>;

/** Actors, actions, guards and delays of the session; see session.machine.ts. */
export const setupSession = (ports: SessionPorts) => {
  const toLeftMs = ({ session }: SessionContext): number =>
    toRemainingMs(session, ports.clock.now());
  /** Time until a confirmed session is requested, ms: at its expiry; earlier if the page is visible. */
  const toDueMs = (context: SessionContext): number =>
    toLeftMs(context) - (ports.environment.isVisible() ? context.renewMs : 0);
  /**
   * If the server confirms a session that this clock considers expired, the clock is wrong: the
   * session then has no end here.
   */
  const toEndMs = (context: SessionContext): number =>
    context.renewMs > 0 ? toLeftMs(context) : Infinity;
  /** Delay until a time is checked again, ms; `overMs` once it has passed. */
  const toCheckDelay = (leftMs: number, overMs: number): number =>
    leftMs > 0 ? Math.min(leftMs, SESSION_EXPIRY_CHECK_MS) : overMs;
  return setup({
    types: { context: {} as SessionContext, events: {} as SessionSignal },
    actors: {
      ...toSessionSources(ports),
      watchEnvironment: watchEnvironment(ports.environment),
      watchOtherTabs: fromSubscription<SessionSignal>((send) =>
        ports.sessionApi.onChange(() => send({ type: 'session.changed' })),
      ),
    },
    actions: {
      keepSession: assign((_, session: Session | undefined) => ({
        session,
        renewMs: toRemainingMs(session, ports.clock.now()) / 2,
      })),
      forgetSession: assign({ session: undefined }),
      countAttempt: assign({ attempt: ({ context }) => context.attempt + 1 }),
      resetAttempts: assign({ attempt: 0 }),
      keepPoll: assign(({ event }) =>
        event.type === 'poll.configured' ? { pollMs: event.seconds * 1000 } : {},
      ),
      revalidateSession: raise({ type: 'session.revalidate' }),
      notifyRead: raise({ type: 'stored.read' }),
      notifyAnswer: raise((_, answer: SessionAnswer) => answer),
      notifyUnreachable: raise({ type: 'session.unreachable' }),
      reportFailure: reportFailure(ports),
    },
    guards: {
      isPolling: ({ context }) => context.pollMs > 0,
      isDue: ({ context }) => toDueMs(context) <= 0,
      hasExpired: ({ context }) => toEndMs(context) <= 0,
      isStored: (_, session: Session | undefined) => session !== undefined,
    },
    delays: {
      requestLimit: REQUEST_LIMIT_MS,
      storageLimit: STORAGE_LIMIT_MS,
      storedLimit: SESSION_STORAGE_LIMIT_MS,
      revalidationDue: ({ context }) => toCheckDelay(toDueMs(context), SESSION_EXPIRED_CHECK_MS),
      expiryCheck: ({ context }) => toCheckDelay(toEndMs(context), 0),
      retryDelay: ({ context }) => toRefetchDelay(ports, context.attempt),
      pollInterval: ({ context }) => context.pollMs,
    },
  });
};

export type SessionSetup = ReturnType<typeof setupSession>;
