import type { SignOuts } from '#domain/ports/device.ts';
import type { ClientLog } from '#domain/ports/browser.ts';
import type { AppError } from '#domain/errors.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Result } from '#domain/result.ts';
import type { Session } from '#domain/schemas/session.ts';
import { fromPromise } from 'xstate';

/** What came of asking who is signed in. */
export type SessionAnswer =
  /** The server's word. */
  | { readonly type: 'session.confirmed'; readonly session: Session }
  | { readonly type: 'session.denied' }
  /** Somebody signed out on this device, whatever the server says: it is yet to learn of it. */
  | { readonly type: 'session.closed' }
  /** No word from the server: the network failed, or the answer was none. */
  | { readonly type: 'session.unanswered' };

export interface AskInput {
  /** The last known session. */
  readonly session: Session | undefined;
  /** Unanswered requests in a row. */
  readonly attempt: number;
}

type SourcePorts = Pick<Ports, 'clock' | 'device' | 'sessionApi' | 'clientLog'>;

const CLOSED: SessionAnswer = { type: 'session.closed' };
const UNANSWERED: SessionAnswer = { type: 'session.unanswered' };

/** Failures of this device's session storage are session failures (spec §8). */
const reportSessionError =
  (clientLog: ClientLog) =>
  (step: string, kind: string): void =>
    clientLog.write('error', 'CLIENT_SESSION_ERROR', { step, kind });

/** Time until a session ends, ms; none is over. */
export const toRemainingMs = (session: Session | undefined, nowMs: number): number =>
  session === undefined ? 0 : Date.parse(session.expires) - nowMs;

const findStored = async ({
  clock,
  device,
  clientLog,
}: SourcePorts): Promise<Session | undefined> => {
  const stored = await device.findSession();
  if (!stored.ok) reportSessionError(clientLog)('find', stored.error.kind);
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
 * The number of sign-outs on this device that a tab knows of (`SignOuts.turn`): its session is
 * of after them. What a cancelled question learnt is told to nobody, so that the next one has
 * to notice it.
 */
const createKnownGeneration = () => {
  let known: number | undefined;
  const learn = (turn: number | undefined, cancel: AbortSignal): void => {
    if (turn !== undefined && !cancel.aborted) known = turn;
  };
  return {
    learn,
    /** Learns a turn: did somebody sign out on this device since the last one? */
    notice(turn: number | undefined, cancel: AbortSignal): boolean {
      const hasLeft = known !== undefined && turn !== undefined && known !== turn;
      learn(turn, cancel);
      return hasLeft;
    },
  };
};

/** Tells the server of a sign-out it has not heard of; one that knows no session will do. */
const settleSignOut = async (
  { sessionApi, device }: Pick<Ports, 'sessionApi' | 'device'>,
  cancel: AbortSignal,
): Promise<Result<void, AppError>> => {
  const told = await sessionApi.signOut(cancel);
  if (!told.ok && told.error.kind !== 'unauthenticated') return told;
  return device.settleSignOut();
};

/**
 * Asks the server who is signed in, and keeps the answer for an offline start. A sign-out on
 * this device comes first: the server is told before it is asked, and an answer that was on
 * its way while somebody signed out, or none, opens nothing.
 */
const askServer = (ports: SourcePorts) => {
  const { clientLog, device, sessionApi } = ports;
  const findSignOuts = readSignOuts(ports);
  const report = reportSessionError(clientLog);
  const knownGeneration = createKnownGeneration();

  const confirm = async (
    session: Session,
    turn: number | undefined,
    cancel: AbortSignal,
  ): Promise<SessionAnswer> => {
    if (turn !== undefined) {
      const saved = await device.saveSession(session, turn);
      if (!saved.ok) report('save', saved.error.kind);
      else if (!saved.value) return CLOSED;
    }
    knownGeneration.learn(turn, cancel);
    return { type: 'session.confirmed', session };
  };
  return async ({ attempt, session }: AskInput, cancel: AbortSignal): Promise<SessionAnswer> => {
    const before = await findSignOuts();
    // A desk in sight closes first, however long the server takes; this is asked again then.
    if (before?.owed === true && session !== undefined) return CLOSED;
    if (before?.owed === true && !(await settleSignOut(ports, cancel)).ok) return CLOSED;
    const answer = await sessionApi.getSession(cancel);
    if (answer.ok && answer.value) return confirm(answer.value, before?.turn, cancel);
    const hasLeft = knownGeneration.notice(before?.turn, cancel);
    if (answer.ok || answer.error.kind === 'unauthenticated') {
      return hasLeft ? CLOSED : { type: 'session.denied' };
    }
    // One entry per outage; the repeats would only add to it.
    if (attempt === 0 && !cancel.aborted) {
      clientLog.write('error', 'CLIENT_FETCH_ERROR', { kind: answer.error.kind });
    }
    return hasLeft ? CLOSED : UNANSWERED;
  };
};

/** Where a session comes from: the server, and the last verified one on this device. */
export const toSessionSources = (ports: SourcePorts) => {
  const ask = askServer(ports);
  return {
    /** The stored session, unless it is over. */
    findStored: fromPromise<Session | undefined>(() => findStored(ports)),
    clearStored: fromPromise<void>(() => clearStored(ports)),
    askServer: fromPromise<SessionAnswer, AskInput>(({ input, signal }) => ask(input, signal)),
  };
};
