import type { AppError } from '#domain/errors.ts';
import type { Result } from '#domain/result.ts';
import type { RoomKey } from '#domain/rooms.ts';

import { FAILED_ROOMS_MAX } from '../kit/leader-limits.ts';

/** `error`: the last failure; `stopped`: because of it, some rooms were not read. */
export interface RoomsRead {
  readonly error?: AppError;
  readonly stopped: boolean;
}

/** Failures that may concern one room only. The first of any other ends a round. */
export const mayBeOfOneRoom = ({ kind }: AppError): boolean =>
  kind === 'server' || kind === 'malformed' || kind === 'rejected' || kind === 'forbidden';

/**
 * Reads rooms, `concurrency` of them concurrently once the engine has answered for one of them. Two
 * consecutive failures end the round: the engine is down, and every further request would add to
 * its load. A room that failed comes last in the next round, so that a broken room does not
 * prevent the others from being read.
 */
export class RoomReader {
  readonly #failed = new Set<RoomKey>();
  readonly #concurrency: number;

  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  async read(
    rooms: readonly RoomKey[],
    cancel: AbortSignal,
    step: (room: RoomKey) => Promise<Result<unknown, AppError>>,
  ): Promise<RoomsRead> {
    const rest = [...rooms].toSorted((a, b) => this.#rank(a) - this.#rank(b));
    let error: AppError | undefined;
    let consecutiveFailures = 0;
    const isOver = (): boolean =>
      rest.length === 0 ||
      cancel.aborted ||
      consecutiveFailures >= FAILED_ROOMS_MAX ||
      (error !== undefined && !mayBeOfOneRoom(error));
    const readNext = async (): Promise<boolean> => {
      const room = rest.shift();
      if (room === undefined) return false;
      const outcome = await step(room);
      if (outcome.ok) this.#failed.delete(room);
      else this.#failed.add(room);
      consecutiveFailures = outcome.ok ? 0 : consecutiveFailures + 1;
      if (!outcome.ok) error = outcome.error;
      return outcome.ok;
    };
    const work = async (): Promise<void> => {
      while (!isOver()) await readNext();
    };
    let hasAnswered = false;
    while (!hasAnswered && !isOver()) hasAnswered = await readNext();
    await Promise.all(Array.from({ length: this.#concurrency }, work));
    return { ...(error && { error }), stopped: rest.length > 0 };
  }

  #rank(room: RoomKey): number {
    return this.#failed.has(room) ? 1 : 0;
  }
}
