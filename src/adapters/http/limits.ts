/** Limits of the HTTP adapters; the engines have their own. Times are milliseconds. */

/** Delay after a 429 that states none. */
export const RETRY_AFTER_DEFAULT_MS = 1000;
/** The longest delay accepted from a 429. */
export const RETRY_AFTER_MAX_MS = 300_000;
/** Characters of details in one log line. */
export const LOG_DETAILS_CHARS_MAX = 4000;
/** Log lines sent per window; the rest are shown in the console only. */
export const LOG_LINES_MAX = 20;
export const LOG_WINDOW_MS = 60_000;
