import type { SignOuts } from '#domain/ports/device.ts';
import type { ClientLog } from '#domain/ports/browser.ts';
import type { AppError } from '#domain/errors.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Result } from '#domain/result.ts';
import type { Session } from '#domain/schemas/session.ts';

import { REQUEST_LIMIT_MS } from '../kit/limits.ts';
import type { AskInput, SessionSignal } from './session.machine.ts';
import { fromTask, type TaskRule } from '../kit/task.ts';

const CLOSED: SessionSignal = { type: 'session.closed' };
const UNANSWERED: SessionSignal = { type: 'session.unanswered' };

const RULE: TaskRule = {
  name: 'askServer',
  limitMs: REQUEST_LIMIT_MS,
  toFailure: () => UNANSWERED,
};

/** Failures of this device's session storage are session failures (spec §8). */
export const reportSessionError =
  (clientLog: ClientLog) =>
  (step: string, kind: string): void =>
    clientLog.write('error', 'CLIENT_SESSION_ERROR', { step, kind });

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
export const askServer = (ports: Ports) => {
  const { clientLog, device, sessionApi } = ports;
  const findSignOuts = readSignOuts(ports);
  const report = reportSessionError(clientLog);
  const knownGeneration = createKnownGeneration();

  const confirm = async (
    session: Session,
    turn: number | undefined,
    cancel: AbortSignal,
  ): Promise<SessionSignal> => {
    if (turn !== undefined) {
      const saved = await device.saveSession(session, turn);
      if (!saved.ok) report('save', saved.error.kind);
      else if (!saved.value) return CLOSED;
    }
    knownGeneration.learn(turn, cancel);
    return { type: 'session.confirmed', session };
  };
  const ask = async (
    { attempt, session }: AskInput,
    cancel: AbortSignal,
  ): Promise<SessionSignal> => {
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
  return fromTask(ports, RULE, ask);
};
