/** Limits of the embedded engine. Times are milliseconds. */

/** Lifetime of an access token; never beyond the session's own end. */
export const TOKEN_LIFE_MS = 15 * 60_000;
/** A token with more time left was created under a wrong clock; allows for small corrections. */
export const TOKEN_LEFT_MAX_MS = TOKEN_LIFE_MS + 60_000;
/** Longest message id. */
export const MESSAGE_ID_LENGTH_MAX = 128;
/** Deepest nesting inside a message, so that it cannot overflow the stack of a reader. */
export const MESSAGE_DEPTH_MAX = 32;
/** Entries of one history response, and of one stream event. */
export const PAGE_COUNT_MAX = 100;
/** A subscriber that takes nothing for this long is disconnected; it resumes from its cursor. */
export const SUBSCRIBER_STALL_MS = 60_000;
/** Open streams: a browser needs one, and two for a moment. */
export const STREAMS_PER_SESSION = 16;
export const STREAMS_PER_PERSON = 64;
/** At the limit of its session, a stream of this age is closed for a new one. */
export const STREAM_REPLACED_AFTER_MS = 60_000;
/** When a refused stream may be retried. */
export const STREAM_RETRY_MS = 10_000;
/** Publishes of one person: the steady rate, and how many more within a while. */
export const PUBLISHES_PER_SECOND = 20;
export const PUBLISH_BURST = 1000;
export const PUBLISH_BURST_SECONDS = 60;
