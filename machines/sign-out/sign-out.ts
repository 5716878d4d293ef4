import type { AppError } from '#domain/errors.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { ok, type Result } from '#domain/result.ts';

import { purgeUserData } from './purge-user-data.ts';
import type { LeaveInput } from './logout.machine.ts';

/**
 * Closes the session on this device, durably and without the server, and tells the other
 * tabs. What is left to do (delete the user's data, tell the server) is done by whoever
 * comes by: `purgeDepartedUsers`, `settleSignOut`.
 */
export const signOut = async (
  { sessionApi, device }: Pick<Ports, 'sessionApi' | 'device'>,
  { uid, store, discards }: LeaveInput,
): Promise<Result<void, AppError>> => {
  const unsent = discards && store ? await store.listUnsent() : ok([]);
  if (!unsent.ok) return unsent;
  const left = await device.signOut({ uid, discarded: unsent.value.map(({ id }) => id) });
  if (left.ok) sessionApi.announceChange();
  return left;
};

/** Tells the server of a sign-out it has not heard of; one that knows no session will do. */
export const settleSignOut = async (
  { sessionApi, device }: Pick<Ports, 'sessionApi' | 'device'>,
  cancel: AbortSignal,
): Promise<Result<void, AppError>> => {
  const told = await sessionApi.signOut(cancel);
  if (!told.ok && told.error.kind !== 'unauthenticated') return told;
  return device.settleSignOut();
};

/** Deletes what those who signed out have left on this device, as far as other tabs let it: all? */
export const purgeDepartedUsers = async (
  ports: Pick<Ports, 'device' | 'clientLog' | 'locks'>,
  cancel?: AbortSignal,
): Promise<boolean> => {
  const { device, clientLog } = ports;
  const departures = await device.listDepartures();
  const outcomes = departures.ok
    ? await Promise.all(
        departures.value.map((uid) => purgeUserData(ports, uid, { ...(cancel && { cancel }) })),
      )
    : [departures];
  for (const outcome of outcomes) {
    if (!outcome.ok) clientLog.write('error', 'SIGN_OUT_UNFINISHED', { kind: outcome.error.kind });
  }
  return outcomes.every(({ ok }) => ok);
};
