/** Numbers of the embedded engine. Times are milliseconds, sizes bytes of UTF-8. */

/** Life of an access token; never past the session's own end. */
export const TOKEN_LIFE_MS = 15 * 60_000;
/** Longest message id. */
export const MESSAGE_ID_LENGTH_MAX = 128;
/** Deepest nesting inside a message, so that no reader's recursion can be exhausted. */
export const MESSAGE_DEPTH_MAX = 32;
/** Entries of one history answer, and of one stream event. */
export const PAGE_COUNT_MAX = 100;
/** One stream event stops growing here; what is left follows in the next. */
export const EVENT_BYTES_MAX = 65_536;
/** Publishes of one transaction: more wait for the next, so that others get their turn. */
export const COMMIT_COUNT_MAX = 1000;
/** Publishes waiting for a transaction; above it new ones are told to come again. */
export const COMMIT_QUEUE_MAX = 10_000;
/** A subscriber that takes nothing for so long is let go; its cursor brings it back. */
export const SUBSCRIBER_STALL_MS = 60_000;
