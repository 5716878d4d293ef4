import type { Updates } from '#domain/ports/browser.ts';

/** A page that stays open looks for a new version this often. */
const UPDATE_CHECK_EVERY_MS = 3_600_000;

type Change = 'found' | 'replaced';

/** Fetching the shell for later waits until the page itself is here. */
const pageLoaded = (): Promise<void> =>
  new Promise((resolve) => {
    if (document.readyState === 'complete') resolve();
    else window.addEventListener('load', () => resolve(), { once: true });
  });

/** Calls `onWaiting` when a worker of a next version is installed and waits, now or later. */
const watchWaiting = (registration: ServiceWorkerRegistration, onWaiting: () => void): void => {
  if (registration.waiting) onWaiting();
  registration.addEventListener('updatefound', () => {
    const { installing } = registration;
    installing?.addEventListener('statechange', () => {
      // The very first worker waits for nobody; it is active at once.
      if (installing.state === 'installed' && registration.active) onWaiting();
    });
  });
};

/**
 * Registers the service worker and watches for its next versions. A new version waits until
 * `activate`, which any tab may call. Where the browser offers no service worker there are none.
 */
export const createPageUpdates = (): Updates => {
  const reload = (): void => location.reload();
  // Not there on plain http beyond loopback, whatever the types say.
  const container: ServiceWorkerContainer | undefined = navigator.serviceWorker;
  if (container === undefined) return { watch: () => () => undefined, activate: reload, reload };
  const listeners = new Set<(change: Change) => void>();
  let last: Change | undefined;
  const tell = (change: Change): void => {
    last = change;
    for (const listener of listeners) listener(change);
  };
  let controlled = container.controller !== null;
  container.addEventListener('controllerchange', () => {
    // The first worker claims the page it was installed by: no new version.
    if (controlled || last === 'found') tell('replaced');
    controlled = true;
  });
  let registration: ServiceWorkerRegistration | undefined;
  const start = async () => {
    try {
      await pageLoaded();
      registration = await container.register('/sw.js', { scope: '/', updateViaCache: 'none' });
      watchWaiting(registration, () => tell('found'));
      setInterval(() => void registration?.update().catch(() => undefined), UPDATE_CHECK_EVERY_MS);
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
    activate: () => {
      const waiting = registration?.waiting;
      if (waiting) waiting.postMessage({ type: 'SKIP_WAITING' });
      // It took over before this page listened: a reload loads it.
      else tell('replaced');
    },
    reload,
  };
};
