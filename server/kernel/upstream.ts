import type { AppError } from '#domain/errors.ts';
import { fail, ok, type Result } from '#domain/result.ts';

import { UPSTREAM_BYTES_MAX, UPSTREAM_TIMEOUT_MS } from './limits.ts';

/** A request to another server, built from constants and from JSON that this server wrote. */
export interface UpstreamRequest {
  readonly url: string;
  /** JSON. */
  readonly body?: string;
  /** Default: POST with a body and GET without one. */
  readonly method?: 'DELETE';
  /** Sent as `Authorization: Bearer`. */
  readonly token?: string | undefined;
  /** ms, body included; `UPSTREAM_TIMEOUT_MS` where absent. */
  readonly timeoutMs?: number;
}

/** No answer, or no complete answer in time. */
export type UpstreamSilence = { readonly kind: 'timeout' } | { readonly kind: 'unreachable' };

const toUpstreamError = (status: number): AppError => {
  if (status === 401) return { kind: 'unauthenticated' };
  if (status === 403) return { kind: 'forbidden' };
  if (status === 429) return { kind: 'limited', retryAfterMs: 1000 };
  const isClientError = status >= 400 && status < 500;
  return isClientError ? { kind: 'rejected', status } : { kind: 'server', status };
};

/** An answer about the request or the person, rather than an outage. */
export const isRefusal = ({ kind }: AppError): boolean =>
  kind === 'unauthenticated' || kind === 'forbidden' || kind === 'rejected';

/** Why a request failed, as fields of a log line. */
export const toFailureFields = (error: AppError) => ({
  reason: error.kind,
  status: 'status' in error ? error.status : undefined,
  detail: error.kind === 'malformed' ? error.detail : undefined,
});

/** The whole body, or undefined if it is longer than `UPSTREAM_BYTES_MAX`. */
export const readUpstreamBody = async (answer: Response): Promise<string | undefined> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > UPSTREAM_BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

const readJson = async (answer: Response): Promise<Result<unknown, AppError>> => {
  const type = answer.headers.get('content-type') ?? '';
  if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(type)) {
    return fail({ kind: 'malformed', detail: `content type ${JSON.stringify(type.slice(0, 80))}` });
  }
  const text = await readUpstreamBody(answer);
  if (text === undefined) return fail({ kind: 'malformed', detail: 'the answer is too long' });
  try {
    return ok(JSON.parse(text) as unknown);
  } catch {
    return fail({ kind: 'malformed', detail: 'not JSON' });
  }
};

const toInit = ({ body, method, token }: UpstreamRequest): RequestInit => {
  const headers = {
    accept: 'application/json',
    // A connection kept open may be closed just as it is reused, and these calls are rare.
    connection: 'close',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  return body === undefined
    ? { headers, ...(method && { method }) }
    : { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
};

/** One request to another server; `read` reads the answer. Redirects are not followed. */
export const requestUpstream = async <T, E>(
  request: UpstreamRequest,
  read: (answer: Response) => Promise<Result<T, E>>,
): Promise<Result<T, E | UpstreamSilence>> => {
  const signal = AbortSignal.timeout(request.timeoutMs ?? UPSTREAM_TIMEOUT_MS);
  try {
    return await read(await fetch(request.url, { ...toInit(request), redirect: 'manual', signal }));
  } catch {
    return fail({ kind: signal.aborted ? 'timeout' : 'unreachable' });
  }
};

/**
 * One request to the product API: POST with a body, else GET; redirects are not followed; 10 s
 * and 5 MB at most; only a 2xx response labelled as JSON is accepted.
 */
export const askUpstream = (request: UpstreamRequest): Promise<Result<unknown, AppError>> =>
  requestUpstream(request, async (answer) => {
    if (answer.ok) return readJson(answer);
    await answer.body?.cancel();
    return fail(toUpstreamError(answer.status));
  });
