const PAINT = 'first-contentful-paint';
/** A page that is not painted by then has other troubles, or is not looked at. */
const PATIENCE_MS = 3000;

/** Resolves once something is on the screen; at once in a page that nobody sees. */
export const waitForFirstPaint = (): Promise<void> =>
  new Promise((resolve) => {
    const isPainted = performance.getEntriesByName(PAINT).length > 0;
    if (isPainted || document.visibilityState === 'hidden') {
      resolve();
      return;
    }
    const finish = (): void => {
      clearTimeout(timer);
      observer.disconnect();
      resolve();
    };
    const observer = new PerformanceObserver((list) => {
      if (list.getEntriesByName(PAINT).length > 0) finish();
    });
    const timer = setTimeout(finish, PATIENCE_MS);
    observer.observe({ type: 'paint', buffered: true });
  });
