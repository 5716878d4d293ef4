import type { PageEnvironment } from '#domain/ports/browser.ts';

/** Network and visibility as the browser reports them. */
export const createPageEnvironment = (window: Window): PageEnvironment => {
  const { document, navigator } = window;
  const isVisible = () => document.visibilityState === 'visible';
  return {
    isOnline: () => navigator.onLine,
    isVisible,
    watch(listener) {
      const listening = new AbortController();
      window.addEventListener('online', () => listener('online'), listening);
      window.addEventListener('offline', () => listener('offline'), listening);
      // Only a return from the back-forward cache counts; the first `pageshow` does not.
      window.addEventListener(
        'pageshow',
        ({ persisted }) => persisted && listener('shown'),
        listening,
      );
      const onVisibility = () => listener(isVisible() ? 'shown' : 'hidden');
      document.addEventListener('visibilitychange', onVisibility, listening);
      return () => listening.abort();
    },
  };
};
