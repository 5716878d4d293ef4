import type { Cancellation } from '#domain/ports/kit.ts';

/** A cancellation that its owner can trigger, once. */
export interface CancellationSource {
  readonly cancellation: Cancellation;
  abort(): void;
}

export const createCancellation = (): CancellationSource => {
  const listeners = new Set<() => void>();
  let aborted = false;
  return {
    cancellation: {
      get aborted() {
        return aborted;
      },
      addEventListener(_type, listener) {
        listeners.add(listener);
      },
      removeEventListener(_type, listener) {
        listeners.delete(listener);
      },
    },
    abort() {
      if (aborted) return;
      aborted = true;
      for (const listener of listeners) listener();
      listeners.clear();
    },
  };
};
