/** If opening takes longer than this, another tab blocks it, ms. */
export const OPEN_TIMEOUT_MS = 10_000;
/** Delay before a failed live query is restarted, ms. */
export const WATCH_RETRY_MS = 500;
/** Messages pruned in one transaction: few enough to keep a busy page responsive. */
export const PRUNE_CHUNK_SIZE = 250;
/** Messages kept per room when the disk is full and a message is to be accepted: one page. */
export const KEPT_ON_FULL_DISK = 25;
/** Delay before a full disk is checked again, doubled each time; ms. */
export const SPACE_RETRY_MIN_MS = 1000;
export const SPACE_RETRY_MAX_MS = 30_000;
/** Bytes written into one row: Chromium stores values of 64 kB or more in separate files. */
export const SCRATCH_PIECE_BYTES = 49_152;
/** Rows in one transaction, about 1 MB. */
export const SCRATCH_ROWS = 22;
/** Transactions that replace the log: twice the 4 MB after which Chromium starts a new one. */
export const SCRATCH_TIMES = 8;
/** Facts read and projected at a time while the tables are rebuilt. */
export const REBUILD_CHUNK_SIZE = 1000;
/** Messages of an earlier version moved in one transaction. */
export const MOVE_CHUNK_SIZE = 250;
/**
 * Number of newest accepted messages whose facts stay in the log after they were received: the
 * drafts of a crashed tab are compared with them.
 */
export const ACCEPTED_KEPT = 50;
