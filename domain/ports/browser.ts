import type { Unsubscribe } from './kit.ts';

/** What the browser says about network and visibility. */
export interface PageEnvironment {
  isOnline(): boolean;
  isVisible(): boolean;
  /** `shown` also after a return from the back-forward cache. */
  watch(listener: (change: 'online' | 'offline' | 'shown' | 'hidden') => void): Unsubscribe;
}

/** Client-side log (spec §7 `_log`): codes such as CLIENT_FETCH_ERROR. Never fails. */
export interface ClientLog {
  write(
    level: 'error' | 'warn' | 'debug',
    code: string,
    details: Readonly<Record<string, unknown>>,
  ): void;
}

/** One holder per name over all tabs of the browser. */
export interface Locks {
  /**
   * Waits for the lock (or takes it by force with `steal`), calls `onHeld`, holds it until
   * the returned function is called. `onLost` when another tab stole it.
   */
  request(
    name: string,
    options: { readonly steal: boolean; readonly onHeld: () => void; readonly onLost: () => void },
  ): Unsubscribe;
}

/** New versions of the page, fetched by the service worker and applied by prompt only. */
export interface Updates {
  /**
   * `found`: a new version is installed and waits. `replaced`: a new version has taken over
   * this page, whichever tab asked for it; what is loaded from now on is its.
   */
  watch(listener: (change: 'found' | 'replaced') => void): Unsubscribe;
  /** Lets the waiting version take over, in all tabs. */
  activate(): void;
  /** Loads this page anew. */
  reload(): void;
}

/** What somebody has under way in this tab and a reload would interrupt. */
export interface PageWork {
  /**
   * Waits until what is being sent is answered, a publish's time at most, and stores what is
   * typed; false when that cannot be stored.
   */
  settle(): Promise<boolean>;
  /** Calls once nothing has been typed here and unsent, or being sent, for a moment. */
  watchQuiet(listener: () => void): Unsubscribe;
}
