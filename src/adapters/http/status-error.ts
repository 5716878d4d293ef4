import { type AppError, PROXY_NAME } from '#domain/errors.ts';
import * as z from 'zod/mini';

import { RETRY_AFTER_DEFAULT_MS, RETRY_AFTER_MAX_MS } from './limits.ts';

/** The body of every error response of the server. */
export const errorAnswerSchema = z.object({ error: z.string() });

export const isJson = (response: Response): boolean =>
  /^application\/(?:[\w.+-]+\+)?json\b/i.test(response.headers.get('content-type') ?? '');

/** `Retry-After` in milliseconds: seconds or a date, within bounds. */
const parseRetryAfter = (header: string | null): number => {
  if (header === null || header.trim() === '') return RETRY_AFTER_DEFAULT_MS;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms)
    ? Math.min(Math.max(ms, 0), RETRY_AFTER_MAX_MS)
    : RETRY_AFTER_DEFAULT_MS;
};

/** The server's text from `{"error": "…"}`. */
const readText = async (response: Response): Promise<{ text?: string }> => {
  if (!isJson(response)) return {};
  try {
    const parsed = errorAnswerSchema.safeParse(await response.json());
    return parsed.success && parsed.data.error !== '' ? { text: parsed.data.error } : {};
  } catch {
    return {};
  }
};

/** Whether this server reports that a service behind it failed; proxies use the header, too. */
const isUpstream = ({ headers }: Response): boolean =>
  headers.get('proxy-status')?.startsWith(`${PROXY_NAME};`) === true;

/**
 * The error of a refused call. The server states every refusal as JSON, so a 4xx page of another
 * type comes from an intermediary (portal, filter) and says nothing about the call: it is
 * `unreachable`, to be retried.
 */
export const toStatusError = async (response: Response): Promise<AppError> => {
  const { status } = response;
  const serverText = await readText(response);
  if (status >= 500) {
    return {
      kind: 'server',
      status,
      ...serverText,
      ...(isUpstream(response) && { upstream: true }),
    };
  }
  if (status === 429) {
    const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'));
    return { kind: 'limited', retryAfterMs, ...serverText };
  }
  if (status < 400 || !isJson(response)) return { kind: 'unreachable' };
  if (status === 401) return { kind: 'unauthenticated' };
  if (status === 403) return { kind: 'forbidden', ...serverText };
  return { kind: 'rejected', status, ...serverText };
};
