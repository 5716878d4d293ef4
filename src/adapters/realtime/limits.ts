/** Numbers of the engines' adapters, which are loaded with them. Times are milliseconds. */

/** A token is kept at least this long, so that a device with a wrong clock asks no storm. */
export const TOKEN_KEPT_MIN_MS = 30_000;
/** Characters one event of the stream may hold before the stream is given up. */
export const STREAM_EVENT_CHARS_MAX = 33_554_432;
/** Rooms per counts request. */
export const COUNTS_ROOMS_MAX = 400;
/** A page read ahead weighs about so much: half of REQUEST_TIMEOUT_MS at 70 kbit/s. */
export const HISTORY_BYTES = 65_536;
/** Channels per counts request, and per batch of newest messages, of the hosted engine. */
export const HOSTED_COUNTS_MAX = 100;
/** The hosted engine keeps no count of what is older than 30 days; a day for wrong clocks. */
export const HOSTED_COUNTS_AGE_MS = 29 * 86_400_000;
/** A quiet poll of the hosted engine is opened anew so often: the answer proves the connection. */
export const HOSTED_POLL_MS = 15_000;
/** The hosted engine's body that stands still so long is given up. */
export const HOSTED_STALL_MS = 10_000;
/** From so many messages in one batch on, the hosted engine may have dropped some. */
export const HOSTED_BATCH_FULL = 100;
/** What a payload of another app may be nested, so that it can be written as JSON again. */
export const PAYLOAD_DEPTH_MAX = 100;
