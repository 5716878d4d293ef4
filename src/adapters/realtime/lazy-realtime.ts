import type { AppError } from '#domain/errors.ts';
import type { Unsubscribe } from '#domain/ports/kit.ts';
import type { MarkLog, Realtime } from '#domain/ports/network.ts';
import { fail, type Result } from '#domain/result.ts';
import type { MarkLogName } from '#domain/schemas/mark-log.ts';

/** Finds the engine and loads its code; may also throw if that is unavailable. */
export type LoadRealtime = () => Promise<Result<Realtime, AppError>>;

/** Loads until it succeeds, once. */
const createSource = (load: LoadRealtime) => {
  let loaded: Realtime | undefined;
  let asked: Promise<Result<Realtime, AppError>> | undefined;
  const ask = async (): Promise<Result<Realtime, AppError>> => {
    const answer = await load().catch(() => fail({ kind: 'unreachable' } as const));
    if (answer.ok) loaded = answer.value;
    else asked = undefined;
    return answer;
  };
  return { get: () => (asked ??= ask()), getLoaded: () => loaded };
};

const openStream =
  (get: LoadRealtime): Realtime['openStream'] =>
  (cursor, onSignal) => {
    let isOpen = true;
    let close: Unsubscribe | undefined;
    const open = async (): Promise<void> => {
      const engine = await get();
      if (!isOpen) return;
      if (engine.ok) close = engine.value.openStream(cursor, onSignal);
      else onSignal({ type: 'ended', error: engine.error });
    };
    void open();
    return () => {
      isOpen = false;
      close?.();
    };
  };

/**
 * An engine whose code loads with its first use, after the first paint. If it cannot be loaded it
 * is unreachable, and the next use retries. Until it is loaded it does not count as idempotent:
 * one unnecessary history check does no harm.
 */
export const createLazyRealtime = (load: LoadRealtime): Realtime => {
  const { get, getLoaded } = createSource(load);
  const call = async <T>(
    ask: (engine: Realtime) => Promise<Result<T, AppError>>,
  ): Promise<Result<T, AppError>> => {
    const engine = await get();
    return engine.ok ? ask(engine.value) : engine;
  };
  const toLog = (name: MarkLogName): MarkLog => ({
    publish: (...given) => call((engine) => engine[name].publish(...given)),
    read: (...given) => call((engine) => engine[name].read(...given)),
    // While a stream is open, the engine is loaded.
    watch: (listener) => getLoaded()?.[name].watch(listener) ?? (() => undefined),
  });
  return {
    get idempotent() {
      return getLoaded()?.idempotent ?? false;
    },
    get complete() {
      return getLoaded()?.complete ?? false;
    },
    publish: (...given) => call((engine) => engine.publish(...given)),
    readHistory: (...given) => call((engine) => engine.readHistory(...given)),
    readNewest: (...given) => call((engine) => engine.readNewest(...given)),
    countSince: (...given) => call((engine) => engine.countSince(...given)),
    openStream: openStream(get),
    own: toLog('own'),
    staff: toLog('staff'),
    renewToken: () => getLoaded()?.renewToken(),
  };
};
