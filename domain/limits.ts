/**
 * Limits and times of the specification, those shared by several parts, and the main ones of
 * sending, connecting, leadership and stored history. Times are milliseconds and sizes bytes,
 * unless the name says otherwise. The column widths of spec §9 are in the style sheets.
 */

/** Messages per history page; more pages exist only after a full page (spec §9). */
export const HISTORY_PAGE_SIZE = 25;
/** Messages per page when a gap is filled after an absence. */
export const CATCH_UP_PAGE_SIZE = 100;
/** Messages shown from memory while the disk is full. */
export const HELD_MESSAGES_MAX = 1000;
/** The teams stay fresh for this time (spec §9). */
export const TEAMS_TTL_MS = 1_800_000;
/** Toast default duration (spec §9). */
export const TOAST_MS = 5000;
/** After a longer silence, the sender's next message gets its own header with the time. */
export const GROUP_SILENCE_MAX_MS = 600_000;
/** Minimum password length (spec §5). */
export const PASSWORD_LENGTH_MIN = 5;

/** Largest published message, envelope included, in UTF-8 (hosted engine: 32 KiB). */
export const MESSAGE_BYTES_MAX = 32_768;
/** Longest accepted callback url, characters. */
export const CALLBACK_URL_LENGTH_MAX = 2048;

/**
 * Outbox: delay before a retry with the same id after a transient failure, without limit,
 * jittered. The maximum keeps the promise that all messages are sent within 10 s after a fault
 * that ends without an event.
 */
export const SEND_RETRY_MIN_MS = 500;
export const SEND_RETRY_MAX_MS = 8000;
/**
 * Connection: the same; up to 30 s while the browser reports that it is offline, because it will
 * report the return.
 */
export const CONNECT_RETRY_MIN_MS = 1000;
export const CONNECT_RETRY_MAX_MS = 8000;
export const OFFLINE_PROBE_MAX_MS = 30_000;
/** A single request is aborted after this time and reported as a timeout. */
export const REQUEST_TIMEOUT_MS = 15_000;

/** The stream sends a beat this often, and counts as stalled after the watchdog time. */
export const STREAM_HEARTBEAT_MS = 10_000;
export const STREAM_WATCHDOG_MS = 25_000;
/**
 * The histories, counts and logs of marks of an engine that is not `complete` contain an entry at
 * the latest this long after its timetoken (PubNub: "10 ms to more than 2 s",
 * PubNubDevelopers/pn-tech-training, history lab 1).
 */
export const HISTORY_LAG_MS = 10_000;
/** Interval of checks for known gaps in the coverage while the page is visible. */
export const CATCH_UP_EVERY_MS = 60_000;

/** Heartbeat of the leader, and the silence after which another tab replaces it. */
export const LEADER_HEARTBEAT_MS = 2000;
export const LEADER_STALE_MS = 10_000;

/**
 * How much of a room's history this device stores: always the newest messages, beyond those
 * none that is too old, and never more than the maximum. Older messages are requested from the
 * server again.
 */
export const RETENTION_KEPT_ALWAYS = 200;
export const RETENTION_KEPT_MAX = 2000;
export const RETENTION_AGE_MS = 90 * 86_400_000;

/** Skeletons appear only if nothing is cached and loading takes longer than this. */
export const SKELETON_DELAY_MS = 300;
