import type { AppError } from '#domain/errors.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Store } from '#domain/ports/storage.ts';
import { fail, ok, type Result } from '#domain/result.ts';

import { purgeUserData } from '../sign-out/purge-user-data.ts';
import { type Returned, restoreUnsent } from '../sign-out/restore-unsent.ts';

const LEFT: AppError = { kind: 'storage', detail: 'The user has left.' };

/** An open store, and what came of taking back what was kept where that is settled already. */
export interface OpenedDesk {
  readonly store: Store;
  readonly returned: Returned | undefined;
}

type OpenPorts = Pick<Ports, 'openStore' | 'device' | 'clientLog' | 'locks' | 'sessionApi'>;

/** Finishes an earlier sign-out; whoever is signed in now may seal with their own keys. */
const finishOwnDeparture = async (
  ports: OpenPorts,
  uid: string,
  cancel: AbortSignal,
): Promise<Result<void, AppError>> => {
  const own = await ports.sessionApi.getKeys(uid, cancel);
  return purgeUserData(ports, uid, cancel, own.ok ? own.value : undefined);
};

/**
 * Opens the store of a user who signed in: finishes an earlier sign-out first, then brings
 * back what was kept, ahead of what is written next. What cannot be stored now comes back
 * later (unsent-restore.machine.ts). Once cancelled it opens nothing: the user has left, the store may go
 * any moment, and the ports take whom the last store was opened for as the user.
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
