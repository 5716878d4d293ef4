import type { Unsubscribe } from './ports.ts';

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
