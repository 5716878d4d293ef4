import { mayReload, reloadFor } from './throttled-reload.ts';

/**
 * A part of the page that cannot be loaded mostly belongs to a version that is gone: one
 * reload brings the present one. Not while offline, and never twice in a row. What is typed
 * is stored before.
 */
export const reloadOnLostPart = (keepDrafts: () => Promise<unknown>): void => {
  window.addEventListener('vite:preloadError', (event) => {
    if (!navigator.onLine || !mayReload('part')) return;
    event.preventDefault();
    void keepDrafts().finally(() => reloadFor('part'));
  });
};
