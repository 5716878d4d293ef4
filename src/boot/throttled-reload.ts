/** So long after a reload for one reason another one for the same reason does not help, ms. */
const PAUSE_MS = 60_000;

/** Why a page reloads without being asked. */
export type ReloadReason = 'part' | 'shell' | 'engine';

const toKey = (reason: ReloadReason): string => `replay-desk-reloaded-${reason}`;

/** Whether this tab may reload for that reason: once a minute at most. */
export const mayReload = (reason: ReloadReason): boolean =>
  Date.now() - Number(sessionStorage.getItem(toKey(reason)) ?? 0) >= PAUSE_MS;

/** Reloads, and notes the reason. */
export const reloadFor = (reason: ReloadReason): void => {
  sessionStorage.setItem(toKey(reason), String(Date.now()));
  window.location.reload();
};

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
