import type { PageEnvironment } from '#domain/ports/browser.ts';

type Change = 'online' | 'offline' | 'shown' | 'hidden';

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
      window.addEventListener('online', online);
      window.addEventListener('offline', offline);
      window.addEventListener('pageshow', pageshow);
      document.addEventListener('visibilitychange', visibility);
      return () => {
        window.removeEventListener('online', online);
        window.removeEventListener('offline', offline);
        window.removeEventListener('pageshow', pageshow);
        document.removeEventListener('visibilitychange', visibility);
      };
    },
  };
};
