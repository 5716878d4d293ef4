import type { AppError } from '#domain/errors.ts';
import { REQUEST_TIMEOUT_MS, SEND_RETRY_MAX_MS, SEND_RETRY_MIN_MS } from '#domain/limits.ts';
import type { Realtime } from '#domain/ports/network.ts';
import { fail, ok } from '#domain/result.ts';
import { toRetryDelay } from '#domain/rules/retry-delay.ts';
import type { RealtimeToken } from '#domain/schemas/realtime.ts';
import { createEmbeddedRealtime } from '#src/adapters/embedded/embedded-realtime.ts';

export interface ClientEngine {
  /** Address of the server. */
  readonly url: string;
  readonly template: string;
  /** A fresh token for every request; undefined before the secret exists. */
  readonly mintToken: () => RealtimeToken | undefined;
}

/** The engine as the page uses it, with tokens that are made here. */
export const createClientRealtime = ({ url, template, mintToken }: ClientEngine): Realtime =>
  createEmbeddedRealtime({
    web: { origin: url, fetch, timeoutMs: REQUEST_TIMEOUT_MS },
    log: { write: () => undefined },
    findTemplate: () => Promise.resolve(ok(template)),
    tokens: {
      get: () => {
        const token = mintToken();
        return Promise.resolve(token === undefined ? fail({ kind: 'unreachable' }) : ok(token));
      },
      forget: () => undefined,
    },
  });

/**
 * The same request will never succeed. A 401 is not final, because a retry carries another token;
 * nor is a 408, because the server only took too long to read the request.
 */
export const isFinal = (error: AppError): boolean =>
  error.kind === 'too-large' ||
  error.kind === 'forbidden' ||
  (error.kind === 'rejected' && error.status !== 408);

/** Why a request to the server at `url` failed. */
export const toReason = (error: AppError, url: string): string => {
  if ('text' in error && error.text) return error.text;
  if (error.kind === 'too-large') {
    return `The message is too large: ${error.bytes} of at most ${error.limit} bytes.`;
  }
  if (error.kind === 'malformed') return `The program at ${url} is not Replay Desk.`;
  if (error.kind === 'unreachable' || error.kind === 'timeout') {
    return `The server at ${url} does not answer.`;
  }
  return `The server answered ${'status' in error ? error.status : error.kind}.`;
};

const RETRY = { minMs: SEND_RETRY_MIN_MS, maxMs: SEND_RETRY_MAX_MS };

/** Delay after a number of consecutive failures, ms. */
export const toDelay = (failures: number): number =>
  toRetryDelay(failures - 1, RETRY, { next: () => Math.random() });
