/** Numbers of the engine's log. Sizes are bytes of UTF-8. */

/** One stream event stops growing here; what is left follows in the next. */
export const EVENT_BYTES_MAX = 65_536;
/** Publishes of one transaction: more wait for the next, so that others get their turn. */
export const COMMIT_COUNT_MAX = 1000;
/** Publishes waiting for a transaction; above it new ones are told to come again. */
export const COMMIT_QUEUE_MAX = 10_000;
