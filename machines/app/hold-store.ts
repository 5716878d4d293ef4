import { type AppError, NOT_OPEN } from '#domain/errors.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Store } from '#domain/ports/storage.ts';
import { fail, type Result } from '#domain/result.ts';

import { reportThrown } from '../kit/answer.ts';
import { fromSubscription } from '../kit/from-subscription.ts';
import type { EnvironmentSignal } from '../kit/watch-environment.ts';
import { purgeExclusively } from '../sign-out/purge-user-data.ts';

export type DeskSignal =
  | EnvironmentSignal
  | { readonly type: 'store.opened'; readonly store: Store }
  | { readonly type: 'store.failed'; readonly error: AppError }
  /** The data was deleted from outside. */
  | { readonly type: 'store.lost' }
  | { readonly type: 'retry.requested' };

export interface DeskInput {
  readonly uid: string;
}

/** Finishes an earlier sign-out; the user who is signed in now may encrypt with their own keys. */
const finishOwnPurge = async (
  ports: Ports,
  uid: string,
  cancel: AbortSignal,
): Promise<Result<void, AppError>> => {
  const own = await ports.sessionApi.getKeys(uid, cancel);
  return purgeExclusively(ports, uid, cancel, own.ok ? own.value : undefined);
};

/**
 * Opens the store of a user who signed in; finishes an earlier sign-out first, and fails while the
 * server was not notified of it. Waits for the network only then: kept messages are restored later
 * (unsent-restore.machine.ts). After cancellation it opens nothing: the user signed out, the store
 * may be deleted at any moment, and the ports treat the user of the last opened store as the
 * current one.
 */
const openDesk = async (
  ports: Ports,
  uid: string,
  cancel: AbortSignal,
): Promise<Result<Store, AppError>> => {
  const { device } = ports;
  const [signOuts, pending] = await Promise.all([
    device.findSignOuts(),
    device.listPendingPurges(),
  ]);
  // The session was confirmed while this could not be read, on a full disk for example.
  if (signOuts.ok && signOuts.value.pending) return fail({ kind: 'unauthenticated' });
  if (pending.ok && pending.value.includes(uid)) {
    const finished = await finishOwnPurge(ports, uid, cancel);
    if (!finished.ok) return finished;
  }
  return cancel.aborted ? fail(NOT_OPEN) : ports.openStore(uid);
};

/** Opens the user's store and closes it when stopped, even if it opens later. */
export const holdStore = (ports: Ports) =>
  fromSubscription<DeskSignal, DeskInput>((send, { uid }) => {
    const controller = new AbortController();
    const { signal } = controller;
    let store: Store | undefined;
    const open = async (): Promise<void> => {
      const opened = await openDesk(ports, uid, signal).catch((error: unknown) => {
        reportThrown(ports.clientLog, 'openDesk', error);
        return fail<AppError>({ kind: 'storage', detail: String(error) });
      });
      if (signal.aborted) {
        if (opened.ok) opened.value.close();
        return;
      }
      if (!opened.ok) {
        send({ type: 'store.failed', error: opened.error });
        return;
      }
      store = opened.value;
      store.onLost(() => send({ type: 'store.lost' }));
      send({ type: 'store.opened', store });
    };
    void open();
    return () => {
      controller.abort();
      store?.close();
    };
  });
