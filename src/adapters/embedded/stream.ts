import type { AppError } from '#domain/errors.ts';
import type { ClientLog } from '#domain/ports/browser.ts';
import type { StreamSignal } from '#domain/ports/network.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import { streamBeatSchema, streamEntriesSchema } from '#domain/schemas/realtime.ts';
import { parseJson } from '#domain/schemas/json.ts';
import { createParser, type EventSourceMessage } from 'eventsource-parser';

import { STREAM_EVENT_CHARS_MAX } from '../realtime/limits.ts';
import type { ReadEntries } from '../realtime/entries.ts';
import type { TimedFetch, Web } from '../http/request-json.ts';
import { toStatusError } from '../http/status-error.ts';

/** The signal of a wire event; undefined for unknown events. */
export const createEventReader =
  (log: ClientLog, readEntries: ReadEntries, template: string) =>
  ({ event, data }: EventSourceMessage): StreamSignal | undefined => {
    const value = parseJson(data);
    if (event === 'entries') {
      const parsed = streamEntriesSchema.safeParse(value);
      if (parsed.success) {
        const entries = readEntries(template, parsed.data.entries);
        return entries.length > 0 ? { type: 'entries', entries } : undefined;
      }
    } else if (event === 'beat') {
      const parsed = streamBeatSchema.safeParse(value);
      if (parsed.success) return { type: 'beat', cursor: parsed.data.cursor };
    } else {
      return undefined;
    }
    log.write('warn', 'REALTIME_EVENT_MALFORMED', { event, chars: data.length });
    return undefined;
  };

/** Opens the body of a stream; the timeout covers everything up to its headers. */
export const openEventStream = async (
  web: Web,
  path: string,
  token: string,
  timed: TimedFetch,
): Promise<Result<ReadableStream<Uint8Array>, AppError>> => {
  const response = await web.fetch(web.origin + path, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${token}` },
    signal: timed.signal,
    cache: 'no-store',
    credentials: 'same-origin',
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

/** Reads events until the body ends; the value is the reason. */
export const readEventStream = async (
  body: ReadableStream<Uint8Array>,
  onEvent: (message: EventSourceMessage) => void,
): Promise<AppError> => {
  let overflown = false;
  const parser = createParser({
    onEvent,
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
    parser.feed(decoder.decode(value, { stream: true }));
    if (overflown) {
      await reader.cancel();
      return { kind: 'malformed', detail: 'stream' };
    }
  }
};
