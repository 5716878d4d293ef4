import type { AppError } from '#domain/errors.ts';
import type { Unsubscribe } from '#domain/ports/kit.ts';
import type { OwnLog, Realtime } from '#domain/ports/network.ts';
import { fail, type Result } from '#domain/result.ts';

/** Finds the engine and loads its code; may also throw if that is unavailable. */
export type LoadRealtime = () => Promise<Result<Realtime, AppError>>;

/** Loads until it succeeds, once. */
const createSource = (load: LoadRealtime) => {
  let loaded: Realtime | undefined;
  let asked: Promise<Result<Realtime, AppError>> | undefined;
  const waiting = new Set<(engine: Realtime) => void>();
  const ask = async (): Promise<Result<Realtime, AppError>> => {
    try {
      const answer = await load();
      if (answer.ok) {
        loaded = answer.value;
        for (const attach of waiting) attach(loaded);
        waiting.clear();
      } else asked = undefined;
      return answer;
    } catch {
      asked = undefined;
      return fail({ kind: 'unreachable' });
    }
  };
  return {
    get: () => (asked ??= ask()),
    getLoaded: () => loaded,
    /** Passes the engine on once it is loaded, which this does not cause; returns how to cancel. */
    whenLoaded: (attach: (engine: Realtime) => void): Unsubscribe => {
      if (loaded === undefined) waiting.add(attach);
      else attach(loaded);
      return () => waiting.delete(attach);
    },
  };
};

/** Without an engine there is no stream, so that nothing is missed before it is loaded. */
const watchOwn =
  (whenLoaded: ReturnType<typeof createSource>['whenLoaded']): OwnLog['watch'] =>
  (listener) => {
    let stop: Unsubscribe = () => undefined;
    const cancel = whenLoaded((engine) => {
      stop = engine.own.watch(listener);
    });
    return () => {
      cancel();
      stop();
    };
  };

const openStream =
  (get: LoadRealtime): Realtime['openStream'] =>
  (cursor, onSignal) => {
    let isOpen = true;
    let close = (): void => undefined;
    const open = async (): Promise<void> => {
      const engine = await get();
      if (!isOpen) return;
      if (engine.ok) close = engine.value.openStream(cursor, onSignal);
      else onSignal({ type: 'ended', error: engine.error });
    };
    void open();
    return () => {
      isOpen = false;
      close();
    };
  };

/**
 * An engine whose code loads with its first use, after the first paint. If it cannot be loaded it
 * is unreachable, and the next use retries. Until it is loaded it does not count as idempotent:
 * one unnecessary history check does no harm.
 */
export const createLazyRealtime = (load: LoadRealtime): Realtime => {
  const { get, getLoaded, whenLoaded } = createSource(load);
  const call = async <T>(
    ask: (engine: Realtime) => Promise<Result<T, AppError>>,
  ): Promise<Result<T, AppError>> => {
    const engine = await get();
    return engine.ok ? ask(engine.value) : engine;
  };
  return {
    get idempotent() {
      return getLoaded()?.idempotent ?? false;
    },
    get complete() {
      return getLoaded()?.complete ?? false;
    },
    publish: (room, payload, cancel) => call((engine) => engine.publish(room, payload, cancel)),
    readHistory: (query, cancel) => call((engine) => engine.readHistory(query, cancel)),
    countSince: (since, cancel) => call((engine) => engine.countSince(since, cancel)),
    openStream: openStream(get),
    own: {
      publish: (id, payload, cancel) => call((engine) => engine.own.publish(id, payload, cancel)),
      read: (query, cancel) => call((engine) => engine.own.read(query, cancel)),
      watch: watchOwn(whenLoaded),
    },
    renewToken: () => getLoaded()?.renewToken(),
  };
};
