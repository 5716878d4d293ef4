import type { SignOuts } from '#domain/ports/device.ts';
import type { ClientLog } from '#domain/ports/browser.ts';
import type { AppError } from '#domain/errors.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Result } from '#domain/result.ts';
import type { Session } from '#domain/schemas/session.ts';
import { fromPromise } from 'xstate';

/** The result of a request for the session. */
export type SessionAnswer =
  /** The server's answer. */
  | { readonly type: 'session.confirmed'; readonly session: Session }
  | { readonly type: 'session.denied' }
  /** A sign-out on this device, regardless of the server's answer: it was not notified yet. */
  | { readonly type: 'session.closed' }
  /** No answer from the server: the network failed, or the answer was invalid. */
  | { readonly type: 'session.unreachable' };

export interface SessionRequestInput {
  /** The last known session. */
  readonly session: Session | undefined;
  /** Consecutive requests without an answer. */
  readonly attempt: number;
}

type SourcePorts = Pick<Ports, 'clock' | 'device' | 'sessionApi' | 'clientLog'>;

const CLOSED: SessionAnswer = { type: 'session.closed' };
const UNREACHABLE: SessionAnswer = { type: 'session.unreachable' };

/** Failures of this device's session storage are session failures (spec §8). */
const reportSessionError =
  (clientLog: ClientLog) =>
  (step: string, kind: string): void =>
    clientLog.write('error', 'CLIENT_SESSION_ERROR', { step, kind });

/** Time until a session expires, ms; without a session zero. */
export const toRemainingMs = (session: Session | undefined, nowMs: number): number =>
  session === undefined ? 0 : Date.parse(session.expires) - nowMs;

const findStored = async ({
  clock,
  device,
  clientLog,
}: SourcePorts): Promise<Session | undefined> => {
  const [stored, signOuts] = await Promise.all([device.findSession(), device.findSignOuts()]);
  if (!stored.ok) reportSessionError(clientLog)('find', stored.error.kind);
  // A pending sign-out takes precedence over the stored session.
  if (signOuts.ok && signOuts.value.pending) return undefined;
  const session = stored.ok ? stored.value : undefined;
  return toRemainingMs(session, clock.now()) > 0 ? session : undefined;
};

const clearStored = async ({ device, clientLog }: SourcePorts): Promise<void> => {
  const cleared = await device.clearSession();
  if (!cleared.ok) reportSessionError(clientLog)('clear', cleared.error.kind);
};

const readSignOuts =
  ({ device, clientLog }: Pick<Ports, 'device' | 'clientLog'>) =>
  async (): Promise<SignOuts | undefined> => {
    const found = await device.findSignOuts();
    if (!found.ok) reportSessionError(clientLog)('sign-outs', found.error.kind);
    return found.ok ? found.value : undefined;
  };

/**
 * The number of sign-outs on this device (`SignOuts.count`) that a tab has read: its session is
 * newer than those. A cancelled request does not update it, so that the next one notices the
 * sign-out.
 */
const createKnownCount = () => {
  let known: number | undefined;
  const learn = (count: number | undefined, cancel: AbortSignal): void => {
    if (count !== undefined && !cancel.aborted) known = count;
  };
  return {
    learn,
    /** Records a count; true if there was a sign-out on this device since the last one. */
    notice(count: number | undefined, cancel: AbortSignal): boolean {
      const hasSignedOut = known !== undefined && count !== undefined && known !== count;
      learn(count, cancel);
      return hasSignedOut;
    },
  };
};

/** Notifies the server of a pending sign-out; it suffices that the server has no session. */
const completeSignOut = async (
  { sessionApi, device }: Pick<Ports, 'sessionApi' | 'device'>,
  cancel: AbortSignal,
): Promise<Result<void, AppError>> => {
  const notified = await sessionApi.signOut(cancel);
  if (!notified.ok && notified.error.kind !== 'unauthenticated') return notified;
  return device.confirmSignOut();
};

/**
 * Requests the session from the server, and stores the answer for an offline start. A sign-out on
 * this device comes first: the server is notified before the request, and an answer that was
 * pending during a sign-out is ignored.
 */
const fetchSession = (ports: SourcePorts) => {
  const { clientLog, device, sessionApi } = ports;
  const findSignOuts = readSignOuts(ports);
  const report = reportSessionError(clientLog);
  const knownCount = createKnownCount();

  const confirm = async (
    session: Session,
    { count, known }: { readonly count: number | undefined; readonly known: Session | undefined },
    cancel: AbortSignal,
  ): Promise<SessionAnswer> => {
    if (count === undefined) {
      // The failure was reported. The stored session may be another user's.
      if (known?.user.uid !== session.user.uid) void clearStored(ports);
    } else {
      const saved = await device.saveSession(session, count);
      if (!saved.ok) report('save', saved.error.kind);
      else if (!saved.value) return CLOSED;
    }
    knownCount.learn(count, cancel);
    return { type: 'session.confirmed', session };
  };
  return async (
    { attempt, session }: SessionRequestInput,
    cancel: AbortSignal,
  ): Promise<SessionAnswer> => {
    const before = await findSignOuts();
    // The signed-in part closes first if it is visible, regardless of how long the server takes;
    // the request follows then.
    if (before?.pending === true && session !== undefined) return CLOSED;
    if (before?.pending === true && !(await completeSignOut(ports, cancel)).ok) return CLOSED;
    const answer = await sessionApi.getSession(cancel);
    if (answer.ok && answer.value) {
      return confirm(answer.value, { count: before?.count, known: session }, cancel);
    }
    const hasSignedOut = knownCount.notice(before?.count, cancel);
    if (answer.ok || answer.error.kind === 'unauthenticated') {
      return hasSignedOut ? CLOSED : { type: 'session.denied' };
    }
    // One entry per outage; repeats would add nothing.
    if (attempt === 0 && !cancel.aborted) {
      clientLog.write('error', 'CLIENT_FETCH_ERROR', { kind: answer.error.kind });
    }
    return hasSignedOut ? CLOSED : UNREACHABLE;
  };
};

/** Sources of a session: the server, and the last verified one on this device. */
export const toSessionSources = (ports: SourcePorts) => {
  const request = fetchSession(ports);
  return {
    /** The stored session, unless it has expired or the server was not notified of a sign-out. */
    findStored: fromPromise<Session | undefined>(() => findStored(ports)),
    clearStored: fromPromise<void>(() => clearStored(ports)),
    fetchSession: fromPromise<SessionAnswer, SessionRequestInput>(({ input, signal }) =>
      request(input, signal),
    ),
  };
};
