import type { AppError } from '#domain/errors.ts';
import { HISTORY_PAGE_SIZE, MESSAGE_BYTES_MAX } from '#domain/limits.ts';
import type { ClientLog } from '#domain/ports/browser.ts';
import type { Realtime, StreamSignal } from '#domain/ports/network.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import { parseChannel, type RoomKey, toChannel } from '#domain/rooms.ts';
import { toMessageBytes } from '#domain/text/message-size.ts';
import {
  countsAnswerSchema,
  historyAnswerSchema,
  publishAnswerSchema,
} from '#domain/schemas/realtime.ts';
import type { Timetoken } from '#domain/timetoken.ts';

import { COUNTS_ROOMS_MAX, HISTORY_BYTES } from '../realtime/limits.ts';
import { createEntryReader, type ReadEntries } from '../realtime/entries.ts';
import { createEventReader, openEventStream, readEventStream } from './stream.ts';
import { toAccessError, type TokenSource } from '../realtime/token.ts';
import { type JsonRequest, requestJson, startTimedFetch, type Web } from '../http/request-json.ts';

export interface EmbeddedRealtimeNeeds {
  readonly web: Web;
  readonly log: ClientLog;
  readonly tokens: TokenSource;
  /** The channel template of the server's public settings. */
  readonly findTemplate: () => Promise<Result<string, AppError>>;
}

interface Access {
  readonly template: string;
  readonly token: string;
}

interface Engine extends EmbeddedRealtimeNeeds {
  readonly readEntries: ReadEntries;
}

const PATH = '/api/realtime';

const findAccess = async (engine: Engine): Promise<Result<Access, AppError>> => {
  const template = await engine.findTemplate();
  if (!template.ok) return fail(toAccessError(template.error));
  const token = await engine.tokens.get();
  if (!token.ok) return fail(toAccessError(token.error));
  return ok({ template: template.value, token: token.value.token });
};

/** One call with the current token; nothing is sent once cancelled. */
const call = async <T>(
  engine: Engine,
  cancel: AbortSignal,
  toRequest: (template: string) => Omit<JsonRequest<T>, 'token' | 'cancel'>,
): Promise<Result<T, AppError>> => {
  const access = await findAccess(engine);
  if (!access.ok) return access;
  if (cancel.aborted) return fail({ kind: 'unreachable' });
  const { template, token } = access.value;
  return requestJson(engine.web, { ...toRequest(template), token, cancel });
};

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
  emit: (signal: StreamSignal) => void,
): Promise<AppError> => {
  try {
    const access = await findAccess(engine);
    if (!access.ok) return access.error;
    const { template, token } = access.value;
    const path = `${PATH}/stream${cursor === undefined ? '' : `?cursor=${cursor}`}`;
    const body = await openEventStream(engine.web, path, token, timed);
    if (!body.ok) return body.error;
    const readEvent = createEventReader(engine.log, engine.readEntries, template);
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

/** The embedded engine as documented in domain/schemas/realtime.ts. */
export const createEmbeddedRealtime = (needs: EmbeddedRealtimeNeeds): Realtime => {
  const engine: Engine = { ...needs, readEntries: createEntryReader(needs.log) };
  return {
    idempotent: true,
    // server/realtime/README.md: a subscriber reads the durable log from its own cursor.
    complete: true,
    publish: publish(engine),
    openStream: openStream(engine),
    readHistory: readHistory(engine),
    countSince: countSince(engine),
    renewToken: () => needs.tokens.forget(),
  };
};
