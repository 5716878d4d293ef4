import type { Unsubscribe } from './kit.ts';

/** Network and visibility, as the browser reports them. */
export interface PageEnvironment {
  isOnline(): boolean;
  isVisible(): boolean;
  /** `shown` also after a return from the back-forward cache. */
  watch(listener: (change: 'online' | 'offline' | 'shown' | 'hidden') => void): Unsubscribe;
}

/** Client-side log (spec §7 `_log`) with codes such as CLIENT_FETCH_ERROR. Never fails. */
export interface ClientLog {
  write(
    level: 'error' | 'warn' | 'debug',
    code: string,
    details: Readonly<Record<string, unknown>>,
  ): void;
}

/** A lock with one holder per name across all tabs of the browser. */
export interface Locks {
  /**
   * Waits for the lock (or takes it by force with `steal`), calls `onHeld`, and holds it until
   * the returned function is called. Calls `onLost` when another tab stole it.
   */
  request(
    name: string,
    options: { readonly steal: boolean; readonly onHeld: () => void; readonly onLost: () => void },
  ): Unsubscribe;
}

/** New versions of the page. The service worker fetches them; they are applied by prompt only. */
export interface Updates {
  /**
   * `found`: a new version is installed and waiting. `replaced`: a new version controls this
   * page, whichever tab requested it; everything loaded from now on belongs to it.
   */
  watch(listener: (change: 'found' | 'replaced') => void): Unsubscribe;
  /** Looks for a new version, unless this has just happened. */
  check(): void;
  /** Activates the waiting version, in all tabs. */
  activate(): void;
  reload(): void;
}

/** Work in this tab that a reload would interrupt. */
export interface PageWork {
  /**
   * Waits until the current publish is answered, at most for the time of a publish, and stores
   * the drafts; false when they cannot be stored.
   */
  finish(): Promise<boolean>;
  /**
   * Calls the listener once a reload would interrupt nothing for a moment: no draft or written
   * field, nothing being sent, loaded on request or kept in memory only, no open dialog, menu or
   * toast.
   */
  watchQuiet(listener: () => void): Unsubscribe;
}

/**
 * Trusted Types, where the browser supports them: only a policy can make addresses of scripts. The
 * compiler's library lacks their types; an address is typed as a string.
 */
export interface MaybeTrustedTypes {
  readonly trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL(): string },
    ): { createScriptURL(text: string): string };
  };
}
