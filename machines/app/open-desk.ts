import type { AppError } from '#domain/errors.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Store } from '#domain/ports/storage.ts';
import { fail, type Result } from '#domain/result.ts';

import { purgeUserData } from '../sign-out/purge-user-data.ts';

const LEFT: AppError = { kind: 'storage', detail: 'The user signed out.' };

type OpenPorts = Pick<Ports, 'openStore' | 'device' | 'clientLog' | 'locks' | 'sessionApi'>;

/** Finishes an earlier sign-out; the user who is signed in now may encrypt with their own keys. */
const finishOwnDeparture = async (
  ports: OpenPorts,
  uid: string,
  cancel: AbortSignal,
): Promise<Result<void, AppError>> => {
  const own = await ports.sessionApi.getKeys(uid, cancel);
  return purgeUserData(ports, uid, cancel, own.ok ? own.value : undefined);
};

/**
 * Opens the store of a user who signed in; finishes an earlier sign-out first. Waits for the
 * network only then: kept messages are restored later (unsent-restore.machine.ts). After
 * cancellation it opens nothing: the user signed out, the store may be deleted at any moment, and
 * the ports treat the user of the last opened store as the current one.
 */
export const openDesk = async (
  ports: OpenPorts,
  uid: string,
  cancel: AbortSignal,
): Promise<Result<Store, AppError>> => {
  const departures = await ports.device.listDepartures();
  if (departures.ok && departures.value.includes(uid)) {
    const finished = await finishOwnDeparture(ports, uid, cancel);
    if (!finished.ok) return finished;
  }
  return cancel.aborted ? fail(LEFT) : ports.openStore(uid);
};
