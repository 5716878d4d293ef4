import type { AppError } from '#domain/errors.ts';
import { REQUEST_TIMEOUT_MS } from '#domain/limits.ts';
import { fail, ok, type Result } from '#domain/result.ts';

import { isJson, toStatusError } from './status-error.ts';

/** The origin, fetch and timeout of requests (ms, body included). */
export interface Web {
  readonly origin: string;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
}

/** The page's own origin. */
export const createPageWeb = (): Web => ({
  origin: globalThis.location.origin,
  fetch: globalThis.fetch.bind(globalThis),
  timeoutMs: REQUEST_TIMEOUT_MS,
});

export interface JsonRequest<T> {
  /** Path and query on the origin. */
  readonly path: string;
  /** Without a body the method is GET, else POST; a string is sent as JSON. */
  readonly body?: string | URLSearchParams;
  /** Besides those of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Without a body; the default is GET. */
  readonly method?: 'DELETE';
  /** Parses the response; undefined if it has another shape. */
  readonly parse: (value: unknown) => T | undefined;
  /** Statuses other than 2xx whose body is an answer rather than an error. */
  readonly answers?: readonly number[];
  readonly cancel?: AbortSignal | undefined;
}

/** A fetch that is aborted by the caller's signal or by its timeout, ms. */
export const startTimedFetch = (timeoutMs: number, cancel?: AbortSignal) => {
  const controller = new AbortController();
  let expired = false;
  const abort = () => controller.abort();
  const timer = setTimeout(() => {
    expired = true;
    abort();
  }, timeoutMs);
  /** Stops the timeout; the caller's signal still applies. */
  const stopTimer = () => clearTimeout(timer);
  cancel?.addEventListener('abort', abort);
  if (cancel?.aborted) abort();
  /** Ends the request, which may have an unread body that would keep its connection open. */
  const release = () => {
    abort();
    stopTimer();
    cancel?.removeEventListener('abort', abort);
  };
  return { signal: controller.signal, timedOut: () => expired, abort, stopTimer, release };
};

export type TimedFetch = ReturnType<typeof startTimedFetch>;

const toInit = (
  request: Omit<JsonRequest<unknown>, 'parse'>,
  signal: AbortSignal,
): RequestInit => ({
  method: request.method ?? (request.body === undefined ? 'GET' : 'POST'),
  headers: {
    accept: 'application/json',
    ...(typeof request.body === 'string' && { 'content-type': 'application/json' }),
    ...request.headers,
  },
  body: request.body ?? null,
  signal,
  cache: 'no-store',
  // The server never redirects a call; a redirect comes from an intermediary.
  redirect: 'error',
});

const readAnswer = async <T>(
  response: Response,
  request: JsonRequest<T>,
): Promise<Result<T, AppError>> => {
  const answered = response.ok || request.answers?.includes(response.status) === true;
  if (!answered) return fail(await toStatusError(response));
  if (!isJson(response)) return fail({ kind: 'unreachable' });
  const text = await response.text();
  try {
    const value = request.parse(JSON.parse(text));
    if (value !== undefined) return ok(value);
  } catch {
    // Not JSON: reported below like any other wrong shape.
  }
  return fail({ kind: 'malformed', detail: request.path });
};

/**
 * One call to the server with JSON back. Never rejects. A page instead of JSON (captive
 * portal) and a redirect are `unreachable`; a cancelled call ends as `unreachable` too.
 */
export const requestJson = async <T>(
  web: Web,
  request: JsonRequest<T>,
): Promise<Result<T, AppError>> => {
  const timed = startTimedFetch(web.timeoutMs, request.cancel);
  try {
    const response = await web.fetch(web.origin + request.path, toInit(request, timed.signal));
    return await readAnswer(response, request);
  } catch {
    return fail({ kind: timed.timedOut() ? 'timeout' : 'unreachable' });
  } finally {
    timed.release();
  }
};
