import type { AppError } from '#domain/errors.ts';
import type { Cancellation, Ports } from '#domain/ports.ts';
import { ok, type Result } from '#domain/result.ts';

/**
 * Asks the server to end the session. Only when it did (or knows none, 401) the stored
 * session is cleared and the other tabs are told; while the server is out of reach nothing
 * changes, and the error says so.
 */
export const signOut = async (
  { sessionApi, device }: Pick<Ports, 'sessionApi' | 'device'>,
  cancel: Cancellation,
): Promise<Result<void, AppError>> => {
  const answer = await sessionApi.signOut(cancel);
  if (!answer.ok && answer.error.kind !== 'unauthenticated') return answer;
  await device.clearSession();
  sessionApi.announceChange();
  return ok(undefined);
};
