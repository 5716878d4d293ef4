import type { Unsubscribe } from './ports.ts';

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
