import type { Updates } from '#domain/updates-port.ts';
import { Workbox } from 'workbox-window';

import { UPDATE_CHECK_EVERY_MS } from './limits.ts';

/**
 * Registers the service worker and watches for its next versions. A new version waits until
 * `activate`, which any tab may call. Where the browser offers no service worker there are none.
 */
export const createPageUpdates = (): Updates => {
  const reload = (): void => location.reload();
  // Not there on plain http beyond loopback, whatever the types say.
  const container: ServiceWorkerContainer | undefined = navigator.serviceWorker;
  if (container === undefined) return { watch: () => () => undefined, activate: reload, reload };
  const listeners = new Set<(change: 'found' | 'replaced') => void>();
  let last: 'found' | 'replaced' | undefined;
  const tell = (change: 'found' | 'replaced'): void => {
    last = change;
    for (const listener of listeners) listener(change);
  };
  let controlled = container.controller !== null;
  const workbox = new Workbox('/sw.js', { scope: '/', updateViaCache: 'none' });
  workbox.addEventListener('waiting', () => tell('found'));
  container.addEventListener('controllerchange', () => {
    // The first worker claims the page it was installed by: no new version.
    if (controlled) tell('replaced');
    controlled = true;
  });
  const start = async () => {
    try {
      await workbox.register();
      setInterval(() => void workbox.update().catch(() => undefined), UPDATE_CHECK_EVERY_MS);
    } catch {
      // Without network the worker of the last visit goes on; the next visit registers again.
    }
  };
  void start();
  return {
    watch(listener) {
      listeners.add(listener);
      queueMicrotask(() => {
        if (last !== undefined) listener(last);
      });
      return () => listeners.delete(listener);
    },
    activate: () => workbox.messageSkipWaiting(),
    reload,
  };
};
