import type { Updates } from '#domain/ports.ts';
import { Workbox } from 'workbox-window';

import { UNSENT_CHECK_EVERY_MS, UPDATE_CHECK_EVERY_MS } from './limits.ts';

/** Reloads at once, or as soon as nothing typed would be lost. */
const reloadWhenNothingUnsent = (hasUnsentText: () => boolean): void => {
  if (!hasUnsentText()) {
    location.reload();
    return;
  }
  const timer = setInterval(() => {
    if (hasUnsentText()) return;
    clearInterval(timer);
    location.reload();
  }, UNSENT_CHECK_EVERY_MS);
};

/**
 * Registers the service worker and watches for its next versions. A new version waits until
 * `apply`; then the tab that asked reloads at once, and every other tab as soon as nothing
 * typed in it is unsent. Where the browser offers no service worker this does nothing.
 */
export const createPageUpdates = (hasUnsentText: () => boolean): Updates => {
  // Not there on plain http beyond loopback, whatever the types say.
  const container: ServiceWorkerContainer | undefined = navigator.serviceWorker;
  if (container === undefined) return { onWaiting: () => () => undefined, apply: () => undefined };
  const listeners = new Set<() => void>();
  let waiting = false;
  let applying = false;
  let controlled = container.controller !== null;
  const workbox = new Workbox('/sw.js', { scope: '/', updateViaCache: 'none' });
  workbox.addEventListener('waiting', () => {
    waiting = true;
    for (const listener of listeners) listener();
  });
  container.addEventListener('controllerchange', () => {
    // The first worker claims the page it was installed by: no new version.
    const isUpdate = controlled;
    controlled = true;
    if (!isUpdate) return;
    if (applying) location.reload();
    else reloadWhenNothingUnsent(hasUnsentText);
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
    onWaiting(listener) {
      listeners.add(listener);
      if (waiting) queueMicrotask(listener);
      return () => listeners.delete(listener);
    },
    apply() {
      applying = true;
      workbox.messageSkipWaiting();
    },
  };
};
