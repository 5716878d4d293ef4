import type { AppError } from '#domain/errors.ts';

import { answerError, answerUpstreamError, type ServerContext } from '../http/answers.ts';
import type { SessionService } from '../auth/sessions.ts';
import type { SessionIdentity } from '../kernel/contracts.ts';
import type { Log } from '../kernel/log.ts';
import { toFailureFields } from '../kernel/upstream.ts';
import type { StaffList } from './staff-source.ts';

interface StaffFailure {
  readonly list: StaffList;
  readonly error: AppError;
  readonly session: SessionIdentity;
  readonly sessions: SessionService;
  readonly log: Log;
}

export const logStaffFailure = (log: Pick<Log, 'warn'>, list: StaffList, error: AppError): void => {
  log.warn({ list, ...toFailureFields(error) }, 'product API failed');
};

/**
 * Responses for a failure of the product API: 504 after a timeout, 502 for a failure or an
 * invalid answer. A 401 for the token that it issued ends the session and is a 401 here; without
 * such a token it is a wrong setting, which no sign-in can fix. For the producers, whose errors
 * count as an empty list (spec §7), it may only mean that this user must not list them.
 */
export const answerStaffFailure = async (
  c: ServerContext,
  { list, error, session, sessions, log }: StaffFailure,
): Promise<Response> => {
  const { kind } = error;
  const isEnd = kind === 'unauthenticated' && list === 'teams';
  if (isEnd && session.upstreamToken !== undefined) {
    log.info({ list, uid: session.user.uid }, 'session ended by the product API');
    await sessions.deny(c);
    return answerError(c, 401, 'Sign in again');
  }
  logStaffFailure(log, list, error);
  return kind === 'timeout'
    ? answerUpstreamError(c, 504, 'The product API did not answer in time')
    : answerUpstreamError(c, 502, 'The product API failed');
};
