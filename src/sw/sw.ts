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

/** Static routing, which not every browser has (and TypeScript does not know). */
interface RoutableInstallEvent extends ExtendableEvent {
  addRoutes?(rules: { condition: object; source: 'network' }): Promise<void>;
}

/**
 * The server's requests pass this worker by, where the browser can: they need not wait for its
 * start, and a version that is being replaced is not kept busy by them (a new one takes over only
 * once the old one has nothing in hand: Service Workers, "Activate").
 */
self.addEventListener('install', (event: RoutableInstallEvent) => {
  const condition = { urlPattern: { pathname: '/api/*' } };
  const routed = event.addRoutes?.({ condition, source: 'network' });
  // Without the rule everything works as in browsers that know none.
  if (routed) event.waitUntil(routed.catch(() => undefined));
});

/** A new version takes over only when the page says so (page-updates.ts). */
self.addEventListener('message', (event) => {
  const data: unknown = event.data;
  if (typeof data === 'object' && data !== null && 'type' in data && data.type === 'SKIP_WAITING') {
    event.waitUntil(self.skipWaiting());
  }
});

/** The page of the very first visit is served by this worker from now on, so it may go offline. */
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
