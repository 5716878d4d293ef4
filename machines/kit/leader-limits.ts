import { CONNECT_RETRY_MAX_MS, CONNECT_RETRY_MIN_MS } from '#domain/limits.ts';
import type { RetryLimits } from '#domain/rules/retry-delay.ts';

/** Times and limits of the work of the leading tab, which loads later; milliseconds. */

/**
 * Upper limit of one catch-up, and of reading and publishing a log of marks once. Messages read
 * before it are stored, so that the next round continues from there.
 */
export const CATCH_UP_LIMIT_MS = 120_000;
/** The queue is read this often even if no change of it was reported. */
export const QUEUE_CHECK_MS = 15_000;
/** All rooms, one short transaction after the other. */
export const PRUNE_LIMIT_MS = 600_000;
/**
 * Hidden tabs run their timers once a minute at worst, so a hidden follower waits longer before it
 * considers a silent leader frozen.
 */
export const LEADER_STALE_HIDDEN_MS = 90_000;
/** After a silent leader, the storage gets this long before the tab reports a wait. */
export const STORAGE_SLOW_MS = 2000;
/**
 * A leader keeps the lead at least this long after a check, well within LEADER_STALE_MS minus two
 * heartbeats.
 */
export const LEASE_DEADLINE_MS = 4000;
/** A batch of at least this many entries may be incomplete: catch up. */
export const STREAM_OVERFLOW_ENTRIES = 100;
/** Most entries of the stream written in one transaction. */
export const STREAM_WRITE_ENTRIES_MAX = 500;
/** After a connection of at least this duration, the backoff restarts. */
export const CONNECTION_STABLE_MS = 5000;
/** Old history is pruned this long after a tab began to lead, and then at this interval. */
export const RETENTION_FIRST_MS = 120_000;
export const RETENTION_EVERY_MS = 6 * 3_600_000;
/**
 * This many rooms of the list are prefetched, those with a mark of the user first, and then at most
 * as many others with unread messages.
 */
export const PREFETCH_ROOMS_MAX = 300;
/** Rooms per request when prefetching: usually 70 kB, and one transaction of up to 260 facts. */
export const PREFETCH_BATCH_SIZE = 10;
/** Consecutive failing rooms before a round of reading stops: the engine is down. */
export const FAILED_ROOMS_MAX = 2;
/**
 * Delay after a failed catch-up: 1 s to 30 s, jittered. A round costs up to 5 requests, and 3 more
 * of prefetching from `CATCH_UP_ROUNDS_MAX` on, so that a history outage stays under 1 request per
 * second from its first minute on.
 */
export const CATCH_UP_RETRY: RetryLimits = { minMs: 1000, maxMs: 30_000 };
/** Delay after a failed connection, and after a failure of the leading tab's store. */
export const CONNECT_RETRY: RetryLimits = {
  minMs: CONNECT_RETRY_MIN_MS,
  maxMs: CONNECT_RETRY_MAX_MS,
};
/** Entries of a log of marks in one request, the most that engines return. */
export const MARK_LOG_PAGE_SIZE = 100;
/** More entries than such a log has without a snapshot, unless a device is broken. */
export const MARK_LOG_ENTRIES_MAX = 3000;
/** After this many failures, about ten seconds, a new device no longer waits for the user log. */
export const MARK_LOG_FAILURES_MAX = 3;
/** A new device checks this often whether its stream has determined where reading begins. */
export const MARK_LOG_START_MS = 1000;
/** A log of marks is read this often even if the engine reported no growth. */
export const MARK_LOG_EVERY_MS = 300_000;
/** Marks made within this time are published together: the user's devices agree within a second. */
export const MARK_LOG_DELAY_MS = 300;
/**
 * After an attempt without an answer, the history of an engine that is not idempotent is searched
 * no earlier than this: it may not contain the message before (`HISTORY_LAG_MS`).
 */
export const LOOKUP_DELAY_MS = 3000;
/**
 * With more rooms than this to send, the wait of each grows with their number, so that an outage
 * costs at most 1 request per second and tab. Three rooms still try within `SEND_RETRY_MAX_MS` and
 * a quarter: within 10 s, as promised after a fault that ends without an event.
 */
export const PACING_THRESHOLD = 2.5;
