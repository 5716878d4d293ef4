import type { PageEnvironment } from '#domain/ports/browser.ts';

import type { Lane, Scheduler } from './scheduler.ts';

type Change = 'online' | 'offline' | 'shown' | 'hidden';

/** Network and visibility events of one tab, each in a separate task. */
export class SimPageEnvironment implements PageEnvironment {
  readonly #scheduler: Scheduler;
  readonly #lane: Lane;
  readonly #device: { readonly isOffline: boolean };
  readonly #listeners = new Set<(change: Change) => void>();
  #isVisible = true;

  constructor(scheduler: Scheduler, lane: Lane, device: { readonly isOffline: boolean }) {
    this.#scheduler = scheduler;
    this.#lane = lane;
    this.#device = device;
  }

  isOnline = (): boolean => !this.#device.isOffline;
  isVisible = (): boolean => this.#isVisible;

  watch = (listener: (change: Change) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  show(isVisible: boolean): void {
    if (this.#isVisible === isVisible) return;
    this.#isVisible = isVisible;
    this.notify(isVisible ? 'shown' : 'hidden');
  }

  notify(change: Change): void {
    this.#scheduler.soon(this.#lane, () => {
      for (const listener of this.#listeners) listener(change);
    });
  }
}
