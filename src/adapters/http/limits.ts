/** Numbers of the adapters alone, those of the engines aside. Times are milliseconds. */

/** Waiting time after a 429 that names none. */
export const RETRY_AFTER_DEFAULT_MS = 1000;
/** The longest waiting time taken from a 429. */
export const RETRY_AFTER_MAX_MS = 300_000;
/** Characters of details in one log line. */
export const LOG_DETAILS_CHARS_MAX = 4000;
/** Log lines sent per window; the rest are shown in the console only. */
export const LOG_LINES_MAX = 20;
export const LOG_WINDOW_MS = 60_000;
/** A page that stays open looks for a new version this often. */
export const UPDATE_CHECK_EVERY_MS = 3_600_000;
