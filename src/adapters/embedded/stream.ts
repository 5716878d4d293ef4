import type { AppError } from '#domain/errors.ts';
import type { StreamSignal } from '#domain/ports/network.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import {
  streamBeatSchema,
  streamEntriesSchema,
  streamMarkSchema,
} from '#domain/schemas/realtime.ts';
import { parseJson } from '#domain/schemas/json.ts';
import type { Timetoken } from '#domain/timetoken.ts';
import { createParser, type EventSourceMessage } from 'eventsource-parser';

import { STREAM_EVENT_CHARS_MAX } from '../realtime/limits.ts';
import type { Engine } from './calls.ts';
import type { TimedFetch, Web } from '../http/request-json.ts';
import { toStatusError } from '../http/status-error.ts';

/**
 * The signals of a wire event, none for unknown events. A malformed event, or one of an unknown
 * channel, is skipped; if it may have contained entries, `opened` precedes the next signal. An event
 * of the user log or the staff log is not a signal; it notifies the watchers.
 */
export const createEventReader = (
  { log, readEntries, watchers, findTemplate }: Engine,
  known: string,
) => {
  let template = known;
  let isSuspect = false;
  let isIncomplete = false;
  /** Once per stream: the server ends its streams before its template changes. */
  const renewTemplate = async (): Promise<void> => {
    if (isSuspect) return;
    isSuspect = true;
    const current = await findTemplate(true);
    if (current.ok) template = current.value;
  };
  const deliver = (signal: StreamSignal, end: Timetoken | undefined): readonly StreamSignal[] => {
    if (end === undefined) return [];
    const opened = isIncomplete ? [{ type: 'opened', after: end } as const] : [];
    isIncomplete = false;
    return [...opened, signal];
  };
  return ({ event, data }: EventSourceMessage): readonly StreamSignal[] => {
    const value = parseJson(data);
    if (event === 'entries') {
      const parsed = streamEntriesSchema.safeParse(value);
      if (parsed.success) {
        const entries = readEntries(template, parsed.data.entries);
        if (entries.length < parsed.data.entries.length) {
          isIncomplete = true;
          void renewTemplate();
        }
        return deliver({ type: 'entries', entries }, entries.at(-1)?.timetoken);
      }
      isIncomplete = true;
    } else if (event === 'beat') {
      const parsed = streamBeatSchema.safeParse(value);
      if (parsed.success) {
        const { cursor } = parsed.data;
        return deliver({ type: 'beat', cursor }, cursor);
      }
    } else if (event === 'own' || event === 'staff') {
      if (streamMarkSchema.safeParse(value).success) {
        watchers.emit(event);
        return [];
      }
    } else {
      return [];
    }
    log.write('warn', 'REALTIME_EVENT_MALFORMED', { event, chars: data.length });
    return [];
  };
};

/** Opens the body of a stream; the timeout covers everything up to its headers. */
export const openEventStream = async (
  web: Web,
  path: string,
  headers: Readonly<Record<string, string>>,
  timed: TimedFetch,
): Promise<Result<ReadableStream<Uint8Array>, AppError>> => {
  const response = await web.fetch(web.origin + path, {
    headers: { accept: 'text/event-stream', ...headers },
    signal: timed.signal,
    cache: 'no-store',
    redirect: 'error',
  });
  if (!response.ok) return fail(await toStatusError(response));
  timed.stopTimer();
  const type = response.headers.get('content-type') ?? '';
  if (response.body === null || !type.startsWith('text/event-stream')) {
    return fail({ kind: 'unreachable' });
  }
  return ok(response.body);
};

/**
 * Reads events until the body ends; the value is the reason. Calls `onProgress` for each part of the
 * body in which none ends: on a slow connection, a large event takes longer than a silent stream may
 * last.
 */
export const readEventStream = async (
  body: ReadableStream<Uint8Array>,
  onEvent: (message: EventSourceMessage) => void,
  onProgress: () => void,
): Promise<AppError> => {
  let overflown = false;
  let isEnd = false;
  const parser = createParser({
    onEvent: (message) => {
      isEnd = true;
      onEvent(message);
    },
    // An intermediary may send comments on behalf of a server that is gone.
    onComment: () => {
      isEnd = true;
    },
    onError: ({ type }) => {
      overflown ||= type === 'max-buffer-size-exceeded';
    },
    maxBufferSize: STREAM_EVENT_CHARS_MAX,
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { kind: 'unreachable' };
    isEnd = false;
    parser.feed(decoder.decode(value, { stream: true }));
    if (!isEnd) onProgress();
    if (overflown) {
      await reader.cancel();
      return { kind: 'malformed', detail: 'stream' };
    }
  }
};
