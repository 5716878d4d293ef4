/** After a reload, another one for the same reason does not help for this long, ms. */
const PAUSE_MS = 60_000;

/** Why a page reloads by itself. */
export type ReloadReason = 'part' | 'shell' | 'engine';

const toKey = (reason: ReloadReason): string => `replay-desk-reloaded-${reason}`;

/** Whether this tab may reload for that reason: once a minute at most, even if the clock is set. */
export const mayReload = (reason: ReloadReason): boolean =>
  Math.abs(Date.now() - Number(sessionStorage.getItem(toKey(reason)))) >= PAUSE_MS;

/** Records the time for this reason, then reloads. */
export const reloadFor = (reason: ReloadReason): void => {
  sessionStorage.setItem(toKey(reason), String(Date.now()));
  window.location.reload();
};

type Guard = (reload: () => void) => unknown;
let guard: Guard = (reload) => reload();

/** From now on, `next` decides whether and when the page reloads for a lost part. */
export const guardReloads = (next: Guard): void => {
  guard = next;
};

/**
 * A chunk that cannot be loaded usually belongs to an old version: one reload loads the current
 * one. It does not reload while offline, and at most once a minute.
 */
export const reloadOnLostPart = (): void => {
  window.addEventListener('vite:preloadError', (event) => {
    if (!navigator.onLine || !mayReload('part')) return;
    event.preventDefault();
    guard(() => reloadFor('part'));
  });
};
