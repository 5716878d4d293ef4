/** The part of AbortSignal that the ports use, so that machines need no DOM. */
export interface Cancellation {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Ends a subscription; calling it twice is harmless. */
export type Unsubscribe = () => void;

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export interface Ids {
  /** A new UUIDv7. */
  next(): string;
}

/** Chance. */
export interface Random {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number;
}
