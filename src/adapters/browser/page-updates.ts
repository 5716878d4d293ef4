import type { Workbox } from 'workbox-window';

import type { Updates } from '#domain/ports/browser.ts';

/** A page that stays open checks for a new version this often. */
const UPDATE_CHECK_EVERY_MS = 3_600_000;

/** A worker that is still installed after this long waits: the time that workbox-window allows. */
const WAITING_MS = 200;

type Change = 'found' | 'replaced';

/** Caching the shell waits until the page itself has loaded. */
const pageLoaded = (): Promise<void> =>
  new Promise((resolve) => {
    if (document.readyState === 'complete') resolve();
    else window.addEventListener('load', () => resolve(), { once: true });
  });

/**
 * Registers the service worker and watches for new versions. A new version waits until `activate`,
 * which any tab may call. A browser without service workers reports none.
 */
export const createPageUpdates = (): Updates => {
  const reload = (): void => location.reload();
  // Absent on plain http beyond loopback, whatever the types say.
  const container: ServiceWorkerContainer | undefined = navigator.serviceWorker;
  if (container === undefined) return { watch: () => () => undefined, activate: reload, reload };
  const listeners = new Set<(change: Change) => void>();
  let last: Change | undefined;
  const tell = (change: Change): void => {
    last = change;
    for (const listener of listeners) listener(change);
  };
  const offer = (): void => {
    if (last !== 'found') tell('found');
  };
  const first = container.controller;
  let workbox: Workbox | undefined;
  let registration: ServiceWorkerRegistration | undefined;
  const start = async (): Promise<void> => {
    try {
      await pageLoaded();
      const library = await import('workbox-window');
      const loaded = new library.Workbox('/sw.js', { scope: '/', updateViaCache: 'none' });
      workbox = loaded;
      let controlled = container.controller !== null;
      loaded.addEventListener('waiting', offer);
      loaded.addEventListener('controlling', () => {
        // The first worker claims the page that installed it: it is not a new version.
        if (controlled || last === 'found') tell('replaced');
        controlled = true;
      });
      const registered = await loaded.register();
      registration = registered;
      // The library stops listening after a version that failed to install (7.4.1).
      registered?.addEventListener('updatefound', () => {
        const next = registered.installing;
        next?.addEventListener('statechange', () => {
          // A first worker is installed, too, but does not wait.
          if (next.state !== 'installed') return;
          setTimeout(() => registered.waiting === next && offer(), WAITING_MS);
        });
      });
      // Another tab activated a new version before this one listened.
      if (first !== null && container.controller !== first) tell('replaced');
      setInterval(() => void loaded.update().catch(() => undefined), UPDATE_CHECK_EVERY_MS);
    } catch {
      // Without a network the worker of the last visit continues; the next visit registers again.
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
      if (registration?.waiting) workbox?.messageSkipWaiting();
      // It took control before this page listened: a reload loads it.
      else tell('replaced');
    },
    reload,
  };
};
