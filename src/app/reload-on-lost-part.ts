const RELOADED_AT = 'replay-desk-reloaded-at';
/** A part that is still missing after a reload this recent is not a matter of versions. */
const RELOAD_PAUSE_MS = 60_000;

/**
 * A part of the page that cannot be loaded mostly belongs to a version that is gone: one
 * reload brings the present one. Not while offline, and never twice in a row. What is typed
 * is stored before.
 */
export const reloadOnLostPart = (keepDrafts: () => Promise<unknown>): void => {
  window.addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(RELOADED_AT) ?? 0);
    if (!navigator.onLine || Date.now() - last < RELOAD_PAUSE_MS) return;
    event.preventDefault();
    sessionStorage.setItem(RELOADED_AT, String(Date.now()));
    void keepDrafts().finally(() => window.location.reload());
  });
};
