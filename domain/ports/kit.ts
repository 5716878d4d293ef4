declare global {
  /** The members that ports and machines use, which compile without the DOM. */
  interface AbortSignal {
    readonly aborted: boolean;
    addEventListener(type: 'abort', listener: () => void): void;
    removeEventListener(type: 'abort', listener: () => void): void;
  }
  interface AbortController {
    readonly signal: AbortSignal;
    abort(): void;
  }
  var AbortController: {
    prototype: AbortController;
    new (): AbortController;
  };
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

/** A source of random numbers. */
export interface Random {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number;
}
