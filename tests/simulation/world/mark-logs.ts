import type { AppError } from '#domain/errors.ts';
import { MESSAGE_BYTES_MAX } from '#domain/limits.ts';
import type { LogPage, MarkLog, PageQuery } from '#domain/ports/network.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import type { MarkEntry, MarkLogName, MarkPayload } from '#domain/schemas/mark-log.ts';
import { toMessageBytes } from '#domain/schemas/message.ts';
import {
  laterOf,
  nextTimetoken,
  type Timetoken,
  TIMETOKEN_MAX,
  TIMETOKEN_ZERO,
} from '#domain/timetoken.ts';

/** The owner of the log of all staff: no uid is empty. */
const STAFF = '';

interface Stored extends MarkEntry {
  readonly id: string;
}

/** The durable logs of single users and of all staff; each notifies its streams when it grows. */
export class SimMarkLogs {
  readonly #logs = new Map<string, Stored[]>();
  readonly #streams = new Map<string, Set<() => void>>();
  readonly #idempotent: boolean;
  /** The engine's position: no entry is before it. */
  readonly #now: () => Timetoken;

  constructor(idempotent: boolean, now: () => Timetoken) {
    this.#idempotent = idempotent;
    this.#now = now;
  }

  publish(owner: string, id: string, payload: MarkPayload): Timetoken {
    const log = this.#logs.get(owner) ?? [];
    const known = log.find((entry) => entry.id === id);
    if (this.#idempotent && known) return known.timetoken;
    const last = log.at(-1)?.timetoken ?? TIMETOKEN_ZERO;
    const timetoken = laterOf(this.#now(), nextTimetoken(last));
    this.#logs.set(owner, [...log, { timetoken, payload, id }]);
    for (const wake of this.#streams.get(owner) ?? []) wake();
    return timetoken;
  }

  read(owner: string, query: PageQuery): LogPage<MarkEntry> {
    const { count, before = TIMETOKEN_MAX, after = TIMETOKEN_ZERO } = query;
    const entries = (this.#logs.get(owner) ?? [])
      .filter(({ timetoken }) => after < timetoken && timetoken < before)
      .slice(-count)
      .map(({ timetoken, payload }) => ({ timetoken, payload }));
    return { entries, full: entries.length >= count };
  }

  /** Wakes a stream of the user from now on; returns a function that stops it. */
  watch(uid: string, wake: (name: MarkLogName) => void): () => void {
    const stops = [this.#add(uid, () => wake('own')), this.#add(STAFF, () => wake('staff'))];
    return () => {
      for (const stop of stops) stop();
    };
  }

  #add(owner: string, wake: () => void): () => void {
    const streams = this.#streams.get(owner) ?? new Set();
    this.#streams.set(owner, streams.add(wake));
    return () => void streams.delete(wake);
  }
}

type Call = <T>(
  serve: (uid: string) => Result<T, AppError>,
  cancel: AbortSignal,
) => Promise<Result<T, AppError>>;

/** The log of one name, for a tab's user; `wake` notifies its watchers. */
const createLog = (
  logs: SimMarkLogs,
  call: Call,
  toOwner: (uid: string) => string,
): { readonly log: MarkLog; readonly wake: () => void } => {
  const listeners = new Set<() => void>();
  return {
    log: {
      publish: async (id, payload, cancel) => {
        const bytes = toMessageBytes(payload);
        const limit = MESSAGE_BYTES_MAX;
        if (bytes > limit) return fail({ kind: 'too-large', bytes, limit });
        return call((uid) => ok(logs.publish(toOwner(uid), id, payload)), cancel);
      },
      read: (query, cancel) => call((uid) => ok(logs.read(toOwner(uid), query)), cancel),
      watch: (listener) => {
        // A separate function per call, so that a listener that is added twice is removed once.
        const one = (): void => listener([]);
        listeners.add(one);
        return () => listeners.delete(one);
      },
    },
    wake: () => {
      for (const listener of listeners) listener();
    },
  };
};

/** The user log and the staff log of one tab; `wake` notifies the watchers of that log. */
export const createSimMarkLogs = (
  logs: SimMarkLogs,
  call: Call,
): Readonly<Record<MarkLogName, MarkLog>> & { readonly wake: (name: MarkLogName) => void } => {
  const both = {
    own: createLog(logs, call, (uid) => uid),
    staff: createLog(logs, call, () => STAFF),
  };
  return { own: both.own.log, staff: both.staff.log, wake: (name) => both[name].wake() };
};
