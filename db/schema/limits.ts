/** An opening that takes longer than this counts as blocked by another tab, ms. */
export const OPEN_TIMEOUT_MS = 10_000;
/** A new log is waited for at most this long, ms. */
export const RENEW_MS_MAX = 2000;
/** Delay before a failed read is repeated, doubled each time; ms. */
export const READ_RETRY_MIN_MS = 500;
export const READ_RETRY_MAX_MS = 30_000;
/** Messages pruned in one transaction: few enough to keep a busy page responsive. */
export const PRUNE_CHUNK_SIZE = 250;
/** Messages kept per room when the disk is full and a message is to be accepted: one page. */
export const KEPT_ON_FULL_DISK = 25;
/** Delay before a full disk is checked again, doubled each time; ms. */
export const SPACE_RETRY_MIN_MS = 1000;
export const SPACE_RETRY_MAX_MS = 30_000;
/**
 * Bytes of the row that tests for space: Chromium stores values of 64 kB or more in other files.
 */
export const SCRATCH_BYTES = 49_152;
/** Facts read and projected at a time while the tables are rebuilt. */
export const REBUILD_CHUNK_SIZE = 1000;
/** Messages of an earlier version moved in one transaction. */
export const MOVE_CHUNK_SIZE = 250;
/**
 * Number of newest accepted messages whose facts stay in the log after they were received: the
 * drafts of a crashed tab are compared with them.
 */
export const ACCEPTED_KEPT = 50;
