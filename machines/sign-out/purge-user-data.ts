import type { OwnKeys } from '#domain/ports/device.ts';
import type { AppError } from '#domain/errors.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { fail, type Result } from '#domain/result.ts';

const GIVEN_UP: AppError = { kind: 'storage', detail: 'Another tab is deleting the data.' };

/**
 * Deletes a signed-out user's data on this device. One tab at a time: a second one could delete the
 * database of the same user who has signed in again meanwhile. A frozen tab may block the others
 * for a long time. They may give up, but never proceed by force, because that tab would continue to
 * delete where it was stopped.
 */
export const purgeExclusively = async (
  { device, locks }: Pick<Ports, 'device' | 'locks'>,
  uid: string,
  cancel: AbortSignal,
  own?: OwnKeys,
): Promise<Result<void, AppError>> => {
  const { promise: turn, resolve: decide } = Promise.withResolvers<boolean>();
  const release = locks.request(`replay-desk-departure-${uid}`, {
    steal: false,
    onHeld: () => decide(true),
    onLost: () => undefined,
  });
  const giveUp = () => decide(false);
  cancel.addEventListener('abort', giveUp);
  if (cancel.aborted) giveUp();
  const isHeld = await turn;
  cancel.removeEventListener('abort', giveUp);
  const finished = isHeld ? await device.purgeUserData(uid, own) : fail(GIVEN_UP);
  release();
  return finished;
};

/** Deletes the data of all signed-out users on this device: true once none is left. */
export const purgeSignedOutUsers = async (
  ports: Pick<Ports, 'device' | 'clientLog' | 'locks'>,
  cancel: AbortSignal,
): Promise<boolean> => {
  const { device, clientLog } = ports;
  const pending = await device.listPendingPurges();
  const outcomes = pending.ok
    ? await Promise.all(pending.value.map((uid) => purgeExclusively(ports, uid, cancel)))
    : [pending];
  for (const outcome of outcomes) {
    if (!outcome.ok) clientLog.write('error', 'SIGN_OUT_UNFINISHED', { kind: outcome.error.kind });
  }
  return outcomes.every(({ ok }) => ok);
};
