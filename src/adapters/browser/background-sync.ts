import type { Store } from '#domain/ports/storage.ts';
import type { Unsubscribe } from '#domain/ports/kit.ts';

const TAG = 'replay-desk-outbox';
/** What the worker tells the pages when the browser has a network again. */
export const NETWORK_RETURNED = 'NETWORK_RETURNED';

/** Background Sync, which not every browser has (and TypeScript does not know). */
interface WithSync {
  readonly sync?: { register(tag: string): Promise<void> };
}

const request = async (): Promise<void> => {
  try {
    // Not there on plain http beyond loopback, whatever the types say.
    const container: ServiceWorkerContainer | undefined = navigator.serviceWorker;
    const registration: (ServiceWorkerRegistration & WithSync) | undefined = await container?.ready;
    await registration?.sync?.register(TAG);
  } catch {
    // Refused by the user or the browser: the outbox has its own ways.
  }
};

/**
 * While messages wait and the browser calls itself offline, asks it to wake the worker when the
 * network is back; the worker wakes the pages. Only then: online, the browser would do so at
 * once, past every pause between two tries.
 */
export const wakeOnReturn = (store: Pick<Store, 'watchQueuedRooms'>): Unsubscribe => {
  let isWaiting = false;
  const ask = (): void => {
    if (isWaiting && !navigator.onLine) void request();
  };
  const stop = store.watchQueuedRooms((rooms) => {
    isWaiting = rooms.length > 0;
    ask();
  });
  window.addEventListener('offline', ask);
  return () => {
    stop();
    window.removeEventListener('offline', ask);
  };
};
