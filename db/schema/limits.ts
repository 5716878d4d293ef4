/** An open that waits longer than this is held up by another tab, ms. */
export const OPEN_TIMEOUT_MS = 10_000;
/** A live query that failed is started again after this, ms. */
export const WATCH_RETRY_MS = 500;
/** Messages pruned in one transaction: short enough to keep a page in use smooth. */
export const PRUNE_CHUNK_SIZE = 250;
/** Facts of a room's log read at a time before messages are pruned. */
export const PRUNE_READ_SIZE = 1000;
/** Kept of each room when the disk is full and a message is to be accepted: one page. */
export const KEPT_ON_FULL_DISK = 25;
/** How long to wait before trying a full disk again, doubled each time; ms. */
export const SPACE_RETRY_MIN_MS = 1000;
export const SPACE_RETRY_MAX_MS = 30_000;
/** Written into one row: Chromium puts values from 64 kB on into files of their own. */
export const SCRATCH_PIECE_BYTES = 49_152;
/** Rows in one transaction, about 1 MB. */
export const SCRATCH_ROWS = 22;
/** Transactions that replace the log: twice the 4 MB after which Chromium begins another one. */
export const SCRATCH_TIMES = 8;
/** Facts read and projected at a time while the tables are rebuilt. */
export const REBUILD_CHUNK_SIZE = 1000;
