import type { AppError } from '#domain/errors.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Store } from '#domain/ports/storage.ts';
import { fail, ok, type Result } from '#domain/result.ts';

import { purgeUserData } from '../sign-out/purge-user-data.ts';
import { type Returned, restoreUnsent } from '../sign-out/restore-unsent.ts';

const LEFT: AppError = { kind: 'storage', detail: 'The user signed out.' };

/** An open store, with the result of restoring kept messages if it is known already. */
export interface OpenedDesk {
  readonly store: Store;
  readonly returned: Returned | undefined;
}

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
 * Opens the store of a user who signed in: finishes an earlier sign-out first, then restores kept
 * messages, ahead of later ones. Messages that cannot be stored now are restored later
 * (unsent-restore.machine.ts). After cancellation it opens nothing: the user signed out, the store
 * may be deleted at any moment, and the ports treat the user of the last opened store as the
 * current one.
 */
export const openDesk = async (
  ports: OpenPorts,
  uid: string,
  cancel: AbortSignal,
): Promise<Result<OpenedDesk, AppError>> => {
  const returning = await ports.device.findReturning(uid);
  const isLeaving = returning.ok && returning.value.isLeaving;
  if (isLeaving) {
    const finished = await finishOwnDeparture(ports, uid, cancel);
    if (!finished.ok) return finished;
  }
  if (cancel.aborted) return fail(LEFT);
  const opened = await ports.openStore(uid);
  if (!opened.ok) return opened;
  const store = opened.value;
  const isKept = returning.ok && (isLeaving || returning.value.hasKept);
  if (!isKept || cancel.aborted) return ok({ store, returned: undefined });
  const returned = await restoreUnsent(ports, store, uid, cancel);
  return ok({ store, returned: returned.ok ? returned.value : undefined });
};
