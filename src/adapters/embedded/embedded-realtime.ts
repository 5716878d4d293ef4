import type { AppError } from '#domain/errors.ts';
import { HISTORY_PAGE_SIZE, MESSAGE_BYTES_MAX } from '#domain/limits.ts';
import type { MarkLog, Realtime, StreamSignal } from '#domain/ports/network.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import { parseChannel, type RoomKey, toChannel } from '#domain/rooms.ts';
import { toMessageBytes } from '#domain/text/message-size.ts';
import type { MarkLogName } from '#domain/schemas/mark-log.ts';
import {
  countsAnswerSchema,
  historyAnswerSchema,
  publishAnswerSchema,
} from '#domain/schemas/realtime.ts';
import type { Timetoken } from '#domain/timetoken.ts';

import { COUNTS_ROOMS_MAX, HISTORY_BYTES } from '../realtime/limits.ts';
import { createEntryReader } from '../realtime/entries.ts';
import { call, type EmbeddedRealtimeNeeds, type Engine, findAccess, PATH } from './call.ts';
import { createEventReader, openEventStream, readEventStream, type Wake } from './stream.ts';
import { startTimedFetch } from '../http/request-json.ts';

const publish =
  (engine: Engine): Realtime['publish'] =>
  async (room, payload, cancel) => {
    const bytes = toMessageBytes(payload);
    const limit = MESSAGE_BYTES_MAX;
    if (bytes > limit) return fail({ kind: 'too-large', bytes, limit });
    const answer = await call(engine, cancel, (template) => ({
      path: `${PATH}/publish`,
      body: JSON.stringify({ channel: toChannel(template, room), message: payload }),
      parse: (value) => publishAnswerSchema.safeParse(value).data?.timetoken,
    }));
    const refused = !answer.ok && answer.error.kind === 'rejected' && answer.error.status === 413;
    return refused ? fail({ kind: 'too-large', bytes, limit }) : answer;
  };

const readHistory =
  (engine: Engine): Realtime['readHistory'] =>
  async ({ room, count, before, after }, cancel) => {
    let used = '';
    const answer = await call(engine, cancel, (template) => {
      used = template;
      const query = new URLSearchParams({ channel: toChannel(template, room), count: `${count}` });
      // The user reads whole pages (spec §9); prefetched ones must get through any network.
      if (count > HISTORY_PAGE_SIZE) query.set('bytes', `${HISTORY_BYTES}`);
      if (before !== undefined) query.set('before', before);
      if (after !== undefined) query.set('after', after);
      return {
        path: `${PATH}/history?${query}`,
        parse: (value) => historyAnswerSchema.safeParse(value).data,
      };
    });
    if (!answer.ok) return answer;
    const { entries: found, more } = answer.value;
    const full = more ?? found.length >= count;
    const entries = engine.readEntries(used, found).filter((entry) => entry.room === room);
    // A full page without any readable entry gives no position to continue from.
    if (full && entries.length === 0) return fail({ kind: 'malformed', detail: 'history page' });
    return ok({ entries, full });
  };

const countChunk = (
  engine: Engine,
  chunk: readonly (readonly [RoomKey, Timetoken])[],
  cancel: AbortSignal,
): Promise<Result<ReadonlyMap<RoomKey, number>, AppError>> =>
  call(engine, cancel, (template) => ({
    path: `${PATH}/counts`,
    body: JSON.stringify({
      since: Object.fromEntries(chunk.map(([room, since]) => [toChannel(template, room), since])),
    }),
    parse: (value) => {
      const parsed = countsAnswerSchema.safeParse(value);
      if (!parsed.success) return undefined;
      const counts = new Map<RoomKey, number>();
      for (const [channel, count] of Object.entries(parsed.data.counts)) {
        const room = parseChannel(template, channel);
        if (room !== undefined) counts.set(room, count);
      }
      return counts;
    },
  }));

const countSince =
  (engine: Engine): Realtime['countSince'] =>
  async (since, cancel) => {
    const rooms = [...since];
    const counts = new Map<RoomKey, number>();
    for (let start = 0; start < rooms.length; start += COUNTS_ROOMS_MAX) {
      const chunk = rooms.slice(start, start + COUNTS_ROOMS_MAX);
      const answer = await countChunk(engine, chunk, cancel);
      if (!answer.ok) return answer;
      for (const [room, count] of answer.value) counts.set(room, count);
    }
    return ok(counts);
  };

const runStream = async (
  engine: Engine,
  cursor: Timetoken | undefined,
  timed: ReturnType<typeof startTimedFetch>,
  { emit, wake }: { readonly emit: (signal: StreamSignal) => void; readonly wake: Wake },
): Promise<AppError> => {
  try {
    const access = await findAccess(engine);
    if (!access.ok) return access.error;
    const { template, token } = access.value;
    const path = `${PATH}/stream${cursor === undefined ? '' : `?cursor=${cursor}`}`;
    const body = await openEventStream(engine.web, path, token, timed);
    if (!body.ok) return body.error;
    const readEvent = createEventReader(engine, template, wake);
    return await readEventStream(body.value, (message) => {
      for (const signal of readEvent(message)) emit(signal);
    });
  } catch {
    return { kind: timed.timedOut() ? 'timeout' : 'unreachable' };
  } finally {
    timed.release();
  }
};

const openStream =
  (engine: Engine, wake: Wake): Realtime['openStream'] =>
  (cursor, onSignal) => {
    let open = true;
    const timed = startTimedFetch(engine.web.timeoutMs);
    const emit = (signal: StreamSignal) => {
      if (open) onSignal(signal);
    };
    const run = async () => {
      const wakeIfOpen: Wake = (name) => {
        if (open) wake(name);
      };
      const error = await runStream(engine, cursor, timed, { emit, wake: wakeIfOpen });
      emit({ type: 'ended', error });
    };
    void run();
    return () => {
      open = false;
      timed.abort();
    };
  };

/** Its code is needed once a stream is open. */
const loadMarkLog = () => import('./mark-log.ts');

/** A log beside the rooms; `wake` calls its listeners. */
const createMarkLog = (engine: Engine, name: MarkLogName) => {
  const listeners = new Set<() => void>();
  const log: MarkLog = {
    publish: async (...given) => (await loadMarkLog()).publishMark(engine, name)(...given),
    read: async (...given) => (await loadMarkLog()).readMarks(engine, name)(...given),
    watch: (listener) => {
      // A listener of its own, so that one that is added twice is removed once.
      const one = (): void => listener();
      listeners.add(one);
      return () => listeners.delete(one);
    },
  };
  const wake = (): void => {
    for (const listener of listeners) listener();
  };
  return { log, wake };
};

/** The embedded engine as documented in domain/schemas/realtime.ts. */
export const createEmbeddedRealtime = (needs: EmbeddedRealtimeNeeds): Realtime => {
  const engine: Engine = { ...needs, readEntries: createEntryReader(needs.log) };
  const logs = { own: createMarkLog(engine, 'own'), staff: createMarkLog(engine, 'staff') };
  return {
    idempotent: true,
    // server/realtime/README.md: a subscriber reads the durable log from its own cursor.
    complete: true,
    publish: publish(engine),
    openStream: openStream(engine, (name) => logs[name].wake()),
    readHistory: readHistory(engine),
    countSince: countSince(engine),
    own: logs.own.log,
    staff: logs.staff.log,
    renewToken: () => needs.tokens.forget(),
  };
};
