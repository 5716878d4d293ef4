import { createListeners } from '#domain/listeners.ts';
import type { Updates } from '#domain/ports/browser.ts';

import type { Change, RegistrationPorts } from './worker-registration.ts';

/** Resolves once the page and everything it requested at the start have loaded. */
const pageLoaded = (): Promise<void> =>
  new Promise((resolve) => {
    if (document.readyState === 'complete') resolve();
    else window.addEventListener('load', () => resolve(), { once: true });
  });

/**
 * Registers the service worker once the page has loaded and `contentShown`, and watches for new
 * versions. A new version waits until `activate`, which any tab may call. A browser without service
 * workers reports none.
 */
export const createPageUpdates = (
  ports: RegistrationPorts,
  contentShown: () => Promise<void>,
): Updates => {
  const reload = (): void => location.reload();
  // Absent on plain http beyond loopback, although the types declare it.
  const container: ServiceWorkerContainer | undefined = navigator.serviceWorker;
  const nothing = (): void => undefined;
  if (container === undefined) {
    return { watch: () => nothing, check: nothing, activate: reload, reload };
  }
  const listeners = createListeners<[Change]>();
  let last: Change | undefined;
  const report = (change: Change): void => {
    last = change;
    listeners.emit(change);
  };
  const first = container.controller;
  const updates: Updates = {
    watch(listener) {
      queueMicrotask(() => {
        if (last !== undefined) listener(last);
      });
      return listeners.add(listener);
    },
    check: nothing,
    // No worker is registered yet.
    activate: () => report('replaced'),
    reload,
  };
  const start = async (): Promise<void> => {
    try {
      await Promise.all([pageLoaded(), contentShown()]);
      const { registerWorker } = await import('./worker-registration.ts');
      const page = { container, first, last: () => last, report };
      Object.assign(updates, await registerWorker(page, ports));
    } catch (error) {
      // The worker of the last visit, if any, continues; the next visit registers again.
      ports.clientLog.write('warn', 'WORKER_NOT_REGISTERED', { message: String(error) });
    }
  };
  void start();
  return updates;
};
