import type { ClientLog } from '#domain/ports/browser.ts';
import { beforeHistoryLag } from '#domain/history-lag.ts';
import { parseJson } from '#domain/schemas/json.ts';
import { type Timetoken, timetokenSchema } from '#domain/timetoken.ts';
import * as z from 'zod/mini';

import { STREAM_EVENT_CHARS_MAX } from '../realtime/limits.ts';
import { toStatusError } from '../http/status-error.ts';
import { AnswerError } from './answer-error.ts';
import { sanitizeResponse } from './sanitize-response.ts';

export interface BufferedFetchNeeds {
  readonly fetch: typeof globalThis.fetch;
  readonly log: ClientLog;
  /** A poll without a response times out after this, ms. */
  readonly pollMs: number;
  /** A body without progress is aborted after this, ms. */
  readonly stallMs: number;
  /** The service answered a subscription: its log is at this position. */
  readonly onHandshake: (at: Timetoken) => void;
}

/** Aborts a request on its own: `wait` sets the time limit and the error. */
const startTimeout = (outer: AbortSignal | null | undefined) => {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const abort = (): void => controller.abort();
  outer?.addEventListener('abort', abort);
  if (outer?.aborted) abort();
  const stop = (): void => clearTimeout(timer);
  return {
    signal: controller.signal,
    stop,
    wait: (ms: number, reason: AnswerError): void => {
      stop();
      timer = setTimeout(() => controller.abort(reason), ms);
    },
    release: (): void => {
      stop();
      outer?.removeEventListener('abort', abort);
    },
  };
};

/** Reads a body to its end; calls `onProgress` with every part. */
const readText = async (response: Response, onProgress: () => void): Promise<string> => {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const part = await reader?.read();
    if (part === undefined || part.done) return text + decoder.decode();
    onProgress();
    text += decoder.decode(part.value, { stream: true });
    if (text.length > STREAM_EVENT_CHARS_MAX) {
      await reader?.cancel();
      throw new AnswerError({ kind: 'malformed', detail: 'answer' });
    }
  }
};

const isPage = (text: string): boolean => /^\s*</.test(text);

/** The SDK announces every subscriber; nothing here uses presence. */
const PRESENCE_PATH = /\/v2\/presence\//;
const answerPresence = (): Response =>
  Response.json({ status: 200, message: 'OK', service: 'Presence' });

const toAnswer = (value: unknown, status: number): Response => Response.json(value, { status });

/** A refusal of the engine is passed to the SDK unchanged; other pages are not its answers. */
const refuse = async (response: Response, value: unknown): Promise<Response> => {
  const { status, headers } = response;
  const isPassing = status >= 500 || status === 429 || value === undefined;
  if (isPassing) throw new AnswerError(await toStatusError(new Response('', { status, headers })));
  return toAnswer(value, status);
};

/** A page comes from an intermediary; anything else that is not JSON comes from the engine. */
const parseAnswer = (text: string): unknown => {
  const value = parseJson(text);
  if (value === undefined && isPage(text)) throw new AnswerError({ kind: 'unreachable' });
  if (value === undefined) throw new AnswerError({ kind: 'malformed', detail: 'answer' });
  return value;
};

const handshakeSchema = z.looseObject({ t: z.looseObject({ t: timetokenSchema }) });

/**
 * Reports the end of the service's log, and has a subscription without a position begin a little
 * earlier: the histories may lack the last messages, which the service keeps for its subscribers.
 */
const readHandshake = (value: unknown, onHandshake: BufferedFetchNeeds['onHandshake']): unknown => {
  const parsed = handshakeSchema.safeParse(value);
  if (!parsed.success) return value;
  const { t } = parsed.data;
  onHandshake(t.t);
  return { ...parsed.data, t: { ...t, t: beforeHistoryLag(t.t) } };
};

/**
 * A fetch that resolves only once the whole body has arrived and is sanitized, so that the SDK's
 * timeouts and cancellation cover the body, too: on its own it waits for a body forever.
 */
export const createBufferedFetch = (needs: BufferedFetchNeeds): typeof globalThis.fetch => {
  return async (input, init) => {
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input);
    if (PRESENCE_PATH.test(pathname)) return answerPresence();
    const path = pathname.replace(/^.*?(?=\/(?:v2\/subscribe|v3\/history|publish|time)\/)/, '');
    const timeout = startTimeout(init?.signal);
    if (searchParams.has('tt')) timeout.wait(needs.pollMs, new AnswerError({ kind: 'timeout' }));
    const expectProgress = (): void =>
      timeout.wait(needs.stallMs, new AnswerError({ kind: 'unreachable' }));
    try {
      const { signal } = timeout;
      const response = await needs.fetch(input, { ...init, redirect: 'error', signal });
      expectProgress();
      const text = await readText(response, expectProgress);
      if (!response.ok) return await refuse(response, parseJson(text));
      const value = parseAnswer(text);
      const isHandshake = path.startsWith('/v2/subscribe/') && !searchParams.has('tt');
      const read = isHandshake ? readHandshake(value, needs.onHandshake) : value;
      return toAnswer(sanitizeResponse(path, read, needs.log), 200);
    } catch (error) {
      if (error instanceof AnswerError || init?.signal?.aborted) throw error;
      const { reason } = timeout.signal;
      throw reason instanceof AnswerError ? reason : new AnswerError({ kind: 'unreachable' });
    } finally {
      timeout.release();
    }
  };
};
