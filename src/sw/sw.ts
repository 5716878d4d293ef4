import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
  type PrecacheEntry,
} from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';

import { serveNotifications } from './notifications.ts';
import { SERVER_PATHS } from './server-paths.ts';

declare const self: ServiceWorkerGlobalScope & {
  /** Files of the shell, filled in by the build. */
  readonly __WB_MANIFEST: (PrecacheEntry | string)[];
};

/** In Chromium, which alone has `userAgentData`, a page that takes compiled code from the cache. */
const SHELL = 'userAgentData' in navigator ? '/shell.html' : '/index.html';

/**
 * Serves the shell: its files from the precache, unless the browser reads them there (`ROUTES`), and
 * the page for every address that does not belong to the server. Nothing is cached at run time, so
 * Cache Storage never contains a user's data.
 */
// By default `/` would be answered with `index.html`.
precacheAndRoute(self.__WB_MANIFEST, { directoryIndex: '', cleanURLs: false });
cleanupOutdatedCaches();
registerRoute(new NavigationRoute(createHandlerBoundToURL(SHELL), { denylist: [...SERVER_PATHS] }));

/** Paths that bypass this worker, and where the browser finds their answers. */
const ROUTES = [
  ['/api/*', 'network'],
  ['/assets/*', 'cache'],
] as const;

/** Static routing, which not every browser supports (and TypeScript does not declare). */
interface RoutableInstallEvent extends ExtendableEvent {
  addRoutes?(rule: { condition: object; source: 'cache' | 'network' }): Promise<void>;
}

/**
 * In browsers that support it, requests to the server and for code bypass this worker: they do not
 * wait for its start or for each other, and do not keep a replaced version alive (a new one takes
 * control only once the old one is idle: Service Workers, "Activate"). Code that is not in the
 * cache is requested from the server.
 */
self.addEventListener('install', (event: RoutableInstallEvent) => {
  for (const [pathname, source] of ROUTES) {
    const routed = event.addRoutes?.({ condition: { urlPattern: { pathname } }, source });
    // Without the route everything works as in browsers without static routing.
    if (routed) event.waitUntil(routed.catch(() => undefined));
  }
});

/** This worker serves every open page without one, so that it works offline. */
const claimClients = (event: ExtendableEvent): void => event.waitUntil(self.clients.claim());

/**
 * A new version takes control, and a page without a worker gets one, when a page requests it
 * (worker-registration.ts).
 */
self.addEventListener('message', (event) => {
  const data: unknown = event.data;
  if (typeof data !== 'object' || data === null || !('type' in data)) return;
  if (data.type === 'SKIP_WAITING') event.waitUntil(self.skipWaiting());
  if (data.type === 'CLAIM_CLIENTS') claimClients(event);
});

/** The page of the very first visit. */
self.addEventListener('activate', claimClients);

serveNotifications();
