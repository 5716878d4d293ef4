import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
  type PrecacheEntry,
} from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';

import { SERVER_PATHS } from './server-paths.ts';

declare const self: ServiceWorkerGlobalScope & {
  /** Files of the shell, filled in by the build. */
  readonly __WB_MANIFEST: (PrecacheEntry | string)[];
};

/**
 * Serves the shell: its files from the precache, and the page for every address that is not
 * the server's. Nothing is cached at run time, so Cache Storage never holds a user's data.
 */
precacheAndRoute(self.__WB_MANIFEST);
cleanupOutdatedCaches();
registerRoute(
  new NavigationRoute(createHandlerBoundToURL('/index.html'), { denylist: [...SERVER_PATHS] }),
);

/** A new version takes over only when the page says so (page-updates.ts). */
self.addEventListener('message', (event) => {
  const data: unknown = event.data;
  if (typeof data === 'object' && data !== null && 'type' in data && data.type === 'SKIP_WAITING') {
    event.waitUntil(self.skipWaiting());
  }
});

/** The page of the very first visit is served by this worker from now on, so it may go offline. */
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
