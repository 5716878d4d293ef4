/**
 * Every number that code needs, in one place. Times are milliseconds, sizes bytes, unless
 * the name says otherwise. The column widths of spec §9 stand in the style sheets.
 */

/** Messages per history page; more pages exist only after a full page (spec §9). */
export const HISTORY_PAGE_SIZE = 25;
/** Messages per page when a gap is filled after an absence. */
export const CATCH_UP_PAGE_SIZE = 100;
/** Messages shown from memory while the disk takes none. */
export const HELD_MESSAGES_MAX = 1000;
/** Teams stay fresh this long (spec §9). */
export const TEAMS_TTL_MS = 1_800_000;
/** Toast default duration (spec §9). */
export const TOAST_MS = 5000;
/** After a longer silence a sender's next message has a header of its own, with the time. */
export const GROUP_SILENCE_MAX_MS = 600_000;
/** Minimum password length (spec §5). */
export const PASSWORD_LENGTH_MIN = 5;

/** Largest published message, envelope included, in UTF-8 (hosted engine: 32 KiB). */
export const MESSAGE_BYTES_MAX = 32_768;
/** Longest accepted callback url, characters. */
export const CALLBACK_URL_LENGTH_MAX = 2048;

/**
 * Outbox: same id again after a passing failure, without limit, jittered. The longest delay
 * keeps the promise that everything goes out within 10 s after a fault nobody announced.
 */
export const SEND_RETRY_MIN_MS = 500;
export const SEND_RETRY_MAX_MS = 8000;
/** Connection: likewise; while the browser says offline, whose return it announces, to 30 s. */
export const CONNECT_RETRY_MIN_MS = 1000;
export const CONNECT_RETRY_MAX_MS = 8000;
export const OFFLINE_PROBE_MAX_MS = 30_000;
/** A single request is given up after this and answered as a timeout. */
export const REQUEST_TIMEOUT_MS = 15_000;

/** The stream carries a beat this often, and counts as stalled after the watchdog time. */
export const STREAM_BEAT_MS = 10_000;
export const STREAM_WATCHDOG_MS = 25_000;
/** All rooms are compared with the engine this often while visible. */
export const CATCH_UP_EVERY_MS = 60_000;

/** Leader heartbeat, and the silence after which a frozen leader is replaced. */
export const LEADER_BEAT_MS = 2000;
export const LEADER_STALE_MS = 10_000;

/**
 * What this device keeps of a room's history: always the newest, nothing old beyond those,
 * and never more than so many. Older messages come from the server again when asked for.
 */
export const RETENTION_KEPT_ALWAYS = 200;
export const RETENTION_KEPT_MAX = 2000;
export const RETENTION_AGE_MS = 90 * 86_400_000;

/** Skeletons appear only when nothing is cached and loading takes longer than this. */
export const SKELETON_DELAY_MS = 300;
