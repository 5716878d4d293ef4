import type { Ports } from '#domain/ports/ports.ts';
import type { Session } from '#domain/schemas/session.ts';
import { type EventObject, fromCallback } from 'xstate';

import {
  SESSION_EXPIRED_CHECK_MS,
  SESSION_EXPIRY_CHECK_MS,
  SESSION_PATIENCE_MS,
  SESSION_STORAGE_LIMIT_MS,
  STORAGE_LIMIT_MS,
} from '../kit/limits.ts';
import { toRefetchDelay } from '../kit/refetch-delay.ts';
import { askServer, reportSessionError } from './ask-server.ts';
import { sessionMachine, type SessionSignal } from './session.machine.ts';
import { fromTask, type TaskRule } from '../kit/task.ts';
import { watchEnvironment } from '../kit/watch-environment.ts';

/** Time until a session ends, ms; none is over. */
const toRemainingMs = (session: Session | undefined, nowMs: number): number =>
  session === undefined ? 0 : Date.parse(session.expires) - nowMs;

const MISSING: SessionSignal = { type: 'stored.missing' };
const FIND: TaskRule = {
  name: 'findStored',
  limitMs: SESSION_STORAGE_LIMIT_MS,
  toFailure: () => MISSING,
};
const CLEAR: TaskRule = {
  name: 'clearStored',
  limitMs: STORAGE_LIMIT_MS,
  toFailure: () => undefined,
};

/** The last verified session on this device; its failures are session failures (spec §8). */
const provideStorage = ({ clock, device, clientLog }: Ports) => {
  const report = reportSessionError(clientLog);
  return {
    findStored: fromTask<undefined>({ clientLog }, FIND, async (): Promise<SessionSignal> => {
      const stored = await device.findSession();
      if (!stored.ok) report('find', stored.error.kind);
      const session = stored.ok ? stored.value : undefined;
      return session !== undefined && toRemainingMs(session, clock.now()) > 0
        ? { type: 'stored.found', session }
        : MISSING;
    }),
    clearStored: fromTask<undefined>({ clientLog }, CLEAR, async () => {
      const cleared = await device.clearSession();
      if (!cleared.ok) report('clear', cleared.error.kind);
      return undefined;
    }),
  };
};

const provideInquiry = (ports: Ports) => ({
  askServer: askServer(ports),
  watchEnvironment: watchEnvironment(ports.environment),
  watchOtherTabs: fromCallback<EventObject, undefined>(({ sendBack }) =>
    ports.sessionApi.onChange(() => sendBack({ type: 'session.changed' } satisfies SessionSignal)),
  ),
});

/** The session machine with its real actors. */
export const provideSession = (ports: Ports) => {
  /** Time until the end of a session is looked for again; `overMs` once it is over. */
  const toCheckDelay = (session: Session | undefined, overMs: number): number => {
    const remainingMs = toRemainingMs(session, ports.clock.now());
    return remainingMs > 0 ? Math.min(remainingMs, SESSION_EXPIRY_CHECK_MS) : overMs;
  };
  return sessionMachine.provide({
    actors: { ...provideStorage(ports), ...provideInquiry(ports) },
    guards: {
      hasExpired: ({ context }) => toRemainingMs(context.session, ports.clock.now()) <= 0,
    },
    delays: {
      patience: SESSION_PATIENCE_MS,
      revalidationDue: ({ context }) => toCheckDelay(context.session, SESSION_EXPIRED_CHECK_MS),
      expiryCheck: ({ context }) => toCheckDelay(context.session, 0),
      retryDelay: ({ context }) => toRefetchDelay(ports, context.attempt),
    },
  });
};
