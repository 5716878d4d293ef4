import type { AppError } from '#domain/errors.ts';
import type { Ports } from '#domain/ports.ts';
import type { Result } from '#domain/result.ts';

/**
 * Deletes what somebody who signed out has left on this device. One tab at a time: a second
 * one could delete the database of the same user who has signed in again meanwhile.
 */
export const finishDeparture = async (
  { device, locks }: Pick<Ports, 'device' | 'locks'>,
  uid: string,
): Promise<Result<void, AppError>> => {
  const held = Promise.withResolvers<void>();
  const release = locks.request(`replay-desk-departure-${uid}`, {
    steal: false,
    onHeld: held.resolve,
    onLost: () => undefined,
  });
  await held.promise;
  const finished = await device.finishDeparture(uid);
  release();
  return finished;
};
