import type { AppError } from '#domain/errors.ts';
import type { Realtime } from '#domain/ports/network.ts';
import { fail, type Result } from '#domain/result.ts';

/** Finds the engine and loads its code; may also throw where that cannot be had. */
export type LoadRealtime = () => Promise<Result<Realtime, AppError>>;

/** Asks until there is an answer, and not again then. */
const createSource = (load: LoadRealtime) => {
  let loaded: Realtime | undefined;
  let asked: Promise<Result<Realtime, AppError>> | undefined;
  const ask = async (): Promise<Result<Realtime, AppError>> => {
    try {
      const answer = await load();
      if (answer.ok) loaded = answer.value;
      else asked = undefined;
      return answer;
    } catch {
      asked = undefined;
      return fail({ kind: 'unreachable' });
    }
  };
  return { get: () => (asked ??= ask()), getLoaded: () => loaded };
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
 * An engine whose code comes with its first use, when the page is painted already. One that
 * cannot be loaded is out of reach, and is tried again at the next use. Until it is there it
 * does not count as idempotent: looking a message up once too often does no harm.
 */
export const createLazyRealtime = (load: LoadRealtime): Realtime => {
  const { get, getLoaded } = createSource(load);
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
    publish: (room, payload, cancel) => call((engine) => engine.publish(room, payload, cancel)),
    readHistory: (query, cancel) => call((engine) => engine.readHistory(query, cancel)),
    countSince: (since, cancel) => call((engine) => engine.countSince(since, cancel)),
    openStream: openStream(get),
    renewToken: () => getLoaded()?.renewToken(),
  };
};
