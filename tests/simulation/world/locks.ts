import type { Locks } from '#domain/ports/browser.ts';

import type { Lane, Scheduler } from './scheduler.ts';

interface Request {
  readonly lane: Lane;
  readonly onHeld: () => void;
  readonly onLost: () => void;
  isReleased: boolean;
}

/** The Web Locks of one browser. A frozen tab keeps its lock, and may even be granted one. */
export class SimLocks {
  readonly #scheduler: Scheduler;
  readonly #queues = new Map<string, Request[]>();

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  toLocks(lane: Lane): Locks {
    return {
      request: (name, { steal, onHeld, onLost }) => {
        const request: Request = { lane, onHeld, onLost, isReleased: false };
        const queue = this.#queues.get(name) ?? [];
        this.#queues.set(name, queue);
        if (steal) this.#steal(queue, request);
        else queue.push(request);
        if (queue[0] === request) this.#grant(queue, request);
        return () => this.#release(queue, request);
      },
    };
  }

  /** Releases all locks and requests of a closed tab. */
  drop(lane: Lane): void {
    for (const queue of this.#queues.values()) {
      for (const request of queue.filter((request) => request.lane === lane)) {
        this.#release(queue, request);
      }
    }
  }

  #steal(queue: Request[], request: Request): void {
    const [loser] = queue.splice(0, 1, request);
    if (loser === undefined) return;
    this.#scheduler.soon(loser.lane, () => {
      if (!loser.isReleased) loser.onLost();
    });
  }

  #grant(queue: readonly Request[], request: Request): void {
    this.#scheduler.soon(request.lane, () => {
      if (queue[0] === request) request.onHeld();
    });
  }

  #release(queue: Request[], request: Request): void {
    request.isReleased = true;
    const place = queue.indexOf(request);
    if (place === -1) return;
    queue.splice(place, 1);
    const next = queue[0];
    if (place === 0 && next) this.#grant(queue, next);
  }
}
