import type { AppError } from '#domain/errors.ts';
import type { LinkCause } from '#domain/link-status.ts';
import type { Timetoken } from '#domain/timetoken.ts';

/** The longest delay before a new stream that an engine may request, ms. */
const STREAM_RETRY_AFTER_MAX_MS = 60_000;

/** Reports of the stream to the connection. */
export type StreamReport =
  /** The stream is alive. */
  | { readonly type: 'stream.beat' }
  /** The end of the logs when the stream began; later entries come after it. */
  | { readonly type: 'stream.began'; readonly at: Timetoken }
  /** Everything up to `cursor` is on this device. */
  | { readonly type: 'stream.advanced'; readonly cursor: Timetoken }
  /**
   * The log ends at `cursor`, before the position where the stream resumed: it is a different log.
   */
  | { readonly type: 'stream.rewound'; readonly cursor: Timetoken }
  /** Everything delivered before the first beat is on this device. */
  | { readonly type: 'stream.current' }
  /** The engine may have dropped entries of a burst. */
  | { readonly type: 'stream.overflowed' }
  /** `retryAfterMs`: the delay that the engine requested. */
  | { readonly type: 'stream.ended'; readonly cause?: LinkCause; readonly retryAfterMs?: number }
  /** Ended by 401 or 403. */
  | { readonly type: 'stream.refused' }
  /** Another tab leads. */
  | { readonly type: 'store.fenced' };

/** How a stream that failed is reported. */
export const toEndSignal = (error: AppError): StreamReport => {
  const { kind } = error;
  if (kind === 'fenced') return { type: 'store.fenced' };
  const isRefused = kind === 'unauthenticated' || kind === 'forbidden';
  if (isRefused) return { type: 'stream.refused' };
  if (kind === 'limited') {
    const retryAfterMs = Math.min(error.retryAfterMs, STREAM_RETRY_AFTER_MAX_MS);
    return { type: 'stream.ended', retryAfterMs };
  }
  const isUpstream = kind === 'server' && error.upstream === true;
  return { type: 'stream.ended', ...(isUpstream && { cause: 'upstream' }) };
};
