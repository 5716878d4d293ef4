import type { AppError } from '#domain/errors.ts';
import { MESSAGE_BYTES_MAX } from '#domain/limits.ts';
import type { MarkLog, MarkPage } from '#domain/ports/network.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import type { MarkEntry, MarkPayload } from '#domain/schemas/mark-log.ts';
import { toMessageBytes } from '#domain/text/message-size.ts';
import {
  laterOf,
  nextTimetoken,
  type Timetoken,
  TIMETOKEN_MAX,
  TIMETOKEN_ZERO,
} from '#domain/timetoken.ts';

interface Stored extends MarkEntry {
  readonly id: string;
}

/** The durable own logs of all users, and who is told when one grows. */
export class SimOwnLogs {
  readonly #logs = new Map<string, Stored[]>();
  readonly #streams = new Map<string, Set<() => void>>();
  readonly #idempotent: boolean;
  /** The engine's position: none is before it. */
  readonly #now: () => Timetoken;

  constructor(idempotent: boolean, now: () => Timetoken) {
    this.#idempotent = idempotent;
    this.#now = now;
  }

  publish(uid: string, id: string, payload: MarkPayload): Timetoken {
    const log = this.#logs.get(uid) ?? [];
    const known = log.find((entry) => entry.id === id);
    if (this.#idempotent && known) return known.timetoken;
    const last = log.at(-1)?.timetoken ?? TIMETOKEN_ZERO;
    const timetoken = laterOf(this.#now(), nextTimetoken(last));
    this.#logs.set(uid, [...log, { timetoken, payload, id }]);
    for (const wake of this.#streams.get(uid) ?? []) wake();
    return timetoken;
  }

  read(uid: string, query: Parameters<MarkLog['read']>[0]): MarkPage {
    const { count, before = TIMETOKEN_MAX, after = TIMETOKEN_ZERO } = query;
    const entries = (this.#logs.get(uid) ?? [])
      .filter(({ timetoken }) => after < timetoken && timetoken < before)
      .slice(-count)
      .map(({ timetoken, payload }) => ({ timetoken, payload }));
    return { entries, full: entries.length >= count };
  }

  /** Wakes a stream of the user from now on; returns how to stop. */
  watch(uid: string, wake: () => void): () => void {
    const streams = this.#streams.get(uid) ?? new Set();
    this.#streams.set(uid, streams.add(wake));
    return () => void streams.delete(wake);
  }
}

type Call = <T>(
  serve: (uid: string) => Result<T, AppError>,
  cancel: AbortSignal,
) => Promise<Result<T, AppError>>;

/** The own log of one tab's user; `wake` tells those who watch it. */
export const createSimOwnLog = (
  logs: SimOwnLogs,
  call: Call,
): { readonly own: MarkLog; readonly wake: () => void } => {
  const listeners = new Set<() => void>();
  return {
    own: {
      publish: async (id, payload, cancel) => {
        const bytes = toMessageBytes(payload);
        const limit = MESSAGE_BYTES_MAX;
        if (bytes > limit) return fail({ kind: 'too-large', bytes, limit });
        return call((uid) => ok(logs.publish(uid, id, payload)), cancel);
      },
      read: (query, cancel) => call((uid) => ok(logs.read(uid, query)), cancel),
      watch: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    wake: () => {
      for (const listener of listeners) listener();
    },
  };
};
