/** Limits of the engines' adapters, loaded with them. Times are milliseconds. */

/** A token is cached at least this long, so that a wrong clock causes no flood of requests. */
export const TOKEN_KEPT_MIN_MS = 30_000;
/** Maximum characters in one event of the stream; beyond this the stream is closed. */
export const STREAM_EVENT_CHARS_MAX = 33_554_432;
/** Rooms per counts request. */
export const COUNTS_ROOMS_MAX = 400;
/** Approximate size of a prefetched page: half of REQUEST_TIMEOUT_MS at 70 kbit/s. */
export const HISTORY_BYTES = 65_536;
/** Channels per counts request, and per batch of newest messages, of the hosted engine. */
export const HOSTED_COUNTS_MAX = 100;
/**
 * Entries in a page of the hosted engine; each timeout leads to the next smaller page. Five
 * messages have at most 160 kB.
 */
export const HOSTED_PAGE_COUNTS = [100, 25, 5] as const;
/** A page grows by this factor at most. */
export const HOSTED_PAGE_GROWTH = 5;
/** The hosted engine counts nothing older than 30 days; minus a day for wrong clocks. */
export const HOSTED_COUNTS_AGE_MS = 29 * 86_400_000;
/**
 * A quiet poll of the hosted engine is reopened this often: over HTTP/1.1 its connection may be
 * dead while that of the probes is not.
 */
export const HOSTED_POLL_MS = 120_000;
/** The service's time, free of charge, is requested this often; each answer is a heartbeat. */
export const HOSTED_PROBE_MS = 15_000;
/** A response body of the hosted engine without progress is aborted after this. */
export const HOSTED_STALL_MS = 10_000;
/**
 * The hosted engine keeps missed messages of a subscriber for 20 minutes, minus a reserve: after a
 * longer silence (a device that slept), some may be missing.
 */
export const HOSTED_CACHE_MS = 15 * 60_000;
/** If a clock was set back further, the length of the silence is unknown. */
export const CLOCK_STEP_MS = 60_000;
/** A batch of at least this many messages may be incomplete on the hosted engine. */
export const HOSTED_BATCH_FULL = 100;
/** Deepest nesting of a foreign payload, so that it can be written as JSON again. */
export const PAYLOAD_DEPTH_MAX = 100;
