import type { PageEnvironment } from '#domain/ports/browser.ts';

import { NETWORK_RETURNED } from './background-sync.ts';

type Change = 'online' | 'offline' | 'shown' | 'hidden';

/** The worker's message that the network is back, see background-sync.ts. */
const isReturn = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && 'type' in data && data.type === NETWORK_RETURNED;

/** Network and visibility as the browser reports them. */
export const createPageEnvironment = (window: Window): PageEnvironment => {
  const { document, navigator } = window;
  const isVisible = () => document.visibilityState === 'visible';
  return {
    isOnline: () => navigator.onLine,
    isVisible,
    watch(listener) {
      const tell = (change: Change) => () => listener(change);
      const online = tell('online');
      const offline = tell('offline');
      const visibility = () => listener(isVisible() ? 'shown' : 'hidden');
      // Only a return from the back-forward cache counts; the first `pageshow` does not.
      const pageshow = (event: PageTransitionEvent) => {
        if (event.persisted) listener('shown');
      };
      // Absent on plain http beyond loopback, whatever the types say.
      const worker: ServiceWorkerContainer | undefined = navigator.serviceWorker;
      const message = ({ data }: MessageEvent<unknown>) => {
        if (isReturn(data)) online();
      };
      worker?.addEventListener('message', message);
      window.addEventListener('online', online);
      window.addEventListener('offline', offline);
      window.addEventListener('pageshow', pageshow);
      document.addEventListener('visibilitychange', visibility);
      return () => {
        worker?.removeEventListener('message', message);
        window.removeEventListener('online', online);
        window.removeEventListener('offline', offline);
        window.removeEventListener('pageshow', pageshow);
        document.removeEventListener('visibilitychange', visibility);
      };
    },
  };
};
