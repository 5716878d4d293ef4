import { SIGN_OUT_RETRY_MS, SIGN_OUT_WAIT_MS, SIGN_OUTS_WAITING_MAX } from '../kernel/limits.ts';
import type { Log } from '../kernel/log.ts';
import type { Denial, DeniedStore } from './denied-store.ts';

/** Writes sign-outs to a store that outlives the process, however long that takes. */
export interface DenialDelivery {
  /**
   * Accepts a sign-out and resolves once it is written, or after `SIGN_OUT_WAIT_MS`: from then
   * on it is written in the background. Never rejects.
   */
  deliver(denial: Denial): Promise<void>;
  /** Tries once more to write pending sign-outs, within the same time. */
  close(): Promise<void>;
}

interface Waiting {
  readonly denial: Denial;
  readonly settle: () => void;
}

const within = async (ms: number, work: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, timeUp]);
  clearTimeout(timer);
};

/** Writes the first pending sign-out; false if there is none or if it failed (logged once). */
const createWriteNext = (waiting: Waiting[], write: DeniedStore['add'], log: Log) => {
  let isFailing = false;
  return async (): Promise<boolean> => {
    const next = waiting[0];
    if (next === undefined) return false;
    try {
      await write(next.denial);
    } catch (error) {
      if (!isFailing) log.error({ err: error }, 'a sign-out could not be shared yet');
      isFailing = true;
      return false;
    }
    isFailing = false;
    if (waiting[0] === next) waiting.shift();
    next.settle();
    return true;
  };
};

/**
 * Writes one sign-out at a time, in order, and retries until it is written: a hanging store
 * blocks one call and no request. Beyond `SIGN_OUTS_WAITING_MAX` the oldest are dropped, but
 * stay denied on this instance.
 */
export const createDenialDelivery = (write: DeniedStore['add'], log: Log): DenialDelivery => {
  const waiting: Waiting[] = [];
  const writeNext = createWriteNext(waiting, write, log);
  let writing: Promise<void> | undefined;
  let retry: NodeJS.Timeout | undefined;
  const run = async (): Promise<void> => {
    clearTimeout(retry);
    while (await writeNext());
    writing = undefined;
    if (waiting.length > 0) retry = setTimeout(() => void writeAll(), SIGN_OUT_RETRY_MS).unref();
  };
  const writeAll = (): Promise<void> => (writing ??= run());
  return {
    deliver: async (denial) => {
      const written = new Promise<void>((settle) => waiting.push({ denial, settle }));
      if (waiting.length > SIGN_OUTS_WAITING_MAX) {
        waiting.shift()?.settle();
        log.error(
          'too many sign-outs are waiting to be shared: the oldest takes effect on this instance only',
        );
      }
      void writeAll();
      await within(SIGN_OUT_WAIT_MS, written);
    },
    close: async () => {
      if (waiting.length > 0) await within(SIGN_OUT_WAIT_MS, writeAll());
      clearTimeout(retry);
    },
  };
};
