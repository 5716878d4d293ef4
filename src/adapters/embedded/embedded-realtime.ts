import type { AppError } from '#domain/errors.ts';
import { createListeners } from '#domain/listeners.ts';
import type { MarkLog, Realtime, StreamSignal } from '#domain/ports/network.ts';
import type { MarkLogName } from '#domain/schemas/mark-log.ts';
import type { Timetoken } from '#domain/timetoken.ts';
import type { EventSourceMessage } from 'eventsource-parser';

import type * as deferred from './deferred-calls.ts';
import { createEntryReader } from '../realtime/entries.ts';
import {
  type EmbeddedRealtimeNeeds,
  type Engine,
  findAccess,
  PATH,
  publish,
  readHistory,
} from './calls.ts';
import { createEventReader, openEventStream, readEventStream } from './stream.ts';
import { startTimedFetch } from '../http/request-json.ts';

const runStream = async (
  engine: Engine,
  cursor: Timetoken | undefined,
  timed: ReturnType<typeof startTimedFetch>,
  emit: (signal: StreamSignal) => void,
): Promise<AppError> => {
  try {
    const access = await findAccess(engine);
    if (!access.ok) return access.error;
    const { template, headers } = access.value;
    const path = `${PATH}/stream${cursor === undefined ? '' : `?cursor=${cursor}`}`;
    const body = await openEventStream(engine.web, path, headers, timed);
    if (!body.ok) return body.error;
    const readEvent = createEventReader(engine, template);
    const onEvent = (message: EventSourceMessage): void => {
      // One chunk may contain events after the one that closed the stream.
      if (timed.signal.aborted) return;
      for (const signal of readEvent(message)) emit(signal);
    };
    return await readEventStream(body.value, onEvent, () => emit({ type: 'progress' }));
  } catch {
    return { kind: timed.timedOut() ? 'timeout' : 'unreachable' };
  } finally {
    timed.release();
  }
};

const openStream =
  (engine: Engine): Realtime['openStream'] =>
  (cursor, onSignal) => {
    let open = true;
    const timed = startTimedFetch(engine.web.timeoutMs);
    const emit = (signal: StreamSignal) => {
      if (open) onSignal(signal);
    };
    const run = async () => {
      const error = await runStream(engine, cursor, timed, emit);
      emit({ type: 'ended', error });
    };
    void run();
    return () => {
      open = false;
      timed.abort();
    };
  };

/** A call that is needed once a stream is open; its code loads with the first one. */
const defer =
  <Given extends unknown[], T>(find: (late: typeof deferred) => (...given: Given) => Promise<T>) =>
  async (...given: Given): Promise<T> =>
    find(await import('./deferred-calls.ts'))(...given);

/** The user log or the staff log. */
const createMarkLog = (engine: Engine, name: MarkLogName): MarkLog => ({
  publish: defer((late) => late.publishMark(engine, name)),
  read: defer((late) => late.readMarks(engine, name)),
  watch: (listener) => engine.watchers.add((grown) => grown === name && listener([])),
});

/** The embedded engine as documented in domain/schemas/realtime.ts. */
export const createEmbeddedRealtime = (needs: EmbeddedRealtimeNeeds): Realtime => {
  const engine: Engine = {
    ...needs,
    readEntries: createEntryReader(needs.log),
    watchers: createListeners(),
  };
  return {
    idempotent: true,
    // server/realtime/README.md: a subscriber reads the durable log from its own cursor.
    complete: true,
    publish: publish(engine),
    openStream: openStream(engine),
    readHistory: readHistory(engine),
    readNewest: defer((late) => late.readNewest(engine)),
    countSince: defer((late) => late.countSince(engine)),
    own: createMarkLog(engine, 'own'),
    staff: createMarkLog(engine, 'staff'),
    renewToken: () => needs.tokens.forget(),
  };
};
