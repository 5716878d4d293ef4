import type { PageEnvironment } from '#domain/ports/browser.ts';

/** Network and visibility as the browser reports them. */
export const createPageEnvironment = (window: Window): PageEnvironment => {
  const { document, navigator } = window;
  const isVisible = () => document.visibilityState === 'visible';
  return {
    isOnline: () => navigator.onLine,
    isVisible,
    watch(listener) {
      const over = new AbortController();
      window.addEventListener('online', () => listener('online'), over);
      window.addEventListener('offline', () => listener('offline'), over);
      // Only a return from the back-forward cache counts; the first `pageshow` does not.
      window.addEventListener('pageshow', ({ persisted }) => persisted && listener('shown'), over);
      const onVisibility = () => listener(isVisible() ? 'shown' : 'hidden');
      document.addEventListener('visibilitychange', onVisibility, over);
      return () => over.abort();
    },
  };
};
