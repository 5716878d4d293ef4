import type { Clock } from '#domain/ports/kit.ts';

interface Timer {
  readonly id: number;
  readonly at: number;
  readonly fire: () => void;
}

/** Runs everything that does not wait for a timer. */
export const settle = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** Time that the test moves: the clock port and the clock of XState's timers. */
export class FakeClock implements Clock {
  #now: number;
  #lastId = 0;
  #timers: readonly Timer[] = [];

  constructor(now = Date.parse('2026-03-01T12:00:00.000Z')) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  readonly timers = {
    setTimeout: (fire: () => void, ms: number): number => {
      this.#lastId += 1;
      this.#timers = [...this.#timers, { id: this.#lastId, at: this.#now + ms, fire }];
      return this.#lastId;
    },
    clearTimeout: (id: unknown): void => {
      this.#timers = this.#timers.filter((timer) => timer.id !== id);
    },
  };

  /** The device sleeps for `ms`: its timers do not run meanwhile. */
  sleep(ms: number): void {
    this.#now += ms;
    this.#timers = this.#timers.map((timer) => ({ ...timer, at: timer.at + ms }));
  }

  /** Advances by `ms`, firing timers in order and letting everything settle in between. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settle();
    for (;;) {
      const due = this.#timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.timers.clearTimeout(due.id);
      this.#now = Math.max(this.#now, due.at);
      due.fire();
      await settle();
    }
    this.#now = end;
  }
}
