/** Times of the machines that belong to no other part; milliseconds. */

/** A stored session is shown as loading at most this long while the server is asked. */
export const SESSION_PATIENCE_MS = 1500;
/** Past this the server is asked without the stored session: nothing is shown until then. */
export const SESSION_STORAGE_LIMIT_MS = 5000;
/** The end of a session is looked for at least this often: timers sleep with the device. */
export const SESSION_EXPIRY_CHECK_MS = 3_600_000;
/** A confirmed session that is over by this device's clock is asked for again so often. */
export const SESSION_EXPIRED_CHECK_MS = 60_000;
/** A failed session, teams or history request, or opening of the store: 1 s to 30 s, jittered. */
export const REFETCH_RETRY_MIN_MS = 1000;
export const REFETCH_RETRY_MAX_MS = 30_000;
/**
 * Upper times of what is awaited from outside. Adapters end a single request themselves
 * (REQUEST_TIMEOUT_MS); these hold where an adapter fails to. With its settings, its code and
 * its token a request is up to four of them.
 */
export const REQUEST_LIMIT_MS = 60_000;
/** What was read by then is stored, so that the next round goes on from there. */
export const CATCH_UP_LIMIT_MS = 120_000;
/** A single transaction, which may wait behind a long one of another tab. */
export const STORAGE_LIMIT_MS = 30_000;
/** All rooms, one short transaction after the other. */
export const PRUNE_LIMIT_MS = 600_000;
/** Deleting a database waits for other tabs to let go of it. */
export const SIGN_OUT_CLEANUP_LIMIT_MS = 60_000;
/** A store that takes longer to open is shown as held up, while it is waited for. */
export const OPEN_PATIENCE_MS = 20_000;
/** Hidden tabs wait so many times longer. */
export const REFETCH_HIDDEN_FACTOR = 8;
/**
 * Hidden tabs run their timers once a minute at worst, so that a hidden follower waits
 * longer before it takes a silent leader for frozen.
 */
export const LEADER_STALE_HIDDEN_MS = 90_000;
/** After a silent leader the storage gets this long before the tab says that it waits. */
export const STORAGE_PATIENCE_MS = 2000;
/** Whoever led leads still after this, well within LEADER_STALE_MS less two beats. */
export const LEADING_FOR_SURE_MS = 4000;
/** From so many entries in one batch on, an engine may have dropped some: catch up. */
export const STREAM_FLOOD_ENTRIES = 100;
/** Most entries of the stream written in one transaction. */
export const STREAM_WRITE_ENTRIES_MAX = 500;
/** A connection that lasted so long was a good one: the next failure starts anew. */
export const CONNECTION_PROOF_MS = 5000;
/** A new version that does not take over within this is offered again, ms. */
export const UPDATE_PATIENCE_MS = 10_000;
/** Old history is forgotten this long after a tab began to lead, and then so often. */
export const RETENTION_FIRST_MS = 120_000;
export const RETENTION_EVERY_MS = 6 * 3_600_000;
/** Rooms never opened that are read ahead, in the order of the client list. */
export const PREFETCH_ROOMS_MAX = 300;
/** Rooms that may fail in a row before a round of reading is given up: the engine is out. */
export const FAILED_ROOMS_MAX = 2;
/**
 * A failed catch-up: 1 s to 30 s, jittered. A round costs up to 5 requests, so that an outage
 * of history alone stays under 1 request per second from its first minute on.
 */
export const CATCH_UP_RETRY_MIN_MS = 1000;
export const CATCH_UP_RETRY_MAX_MS = 30_000;
/** Rooms read at once during catch-up. */
export const CATCH_UP_ROOMS_AT_ONCE = 4;
/**
 * Over so many rooms with something to send, each waits the longer the more there are, so
 * that an outage costs about the same number of requests (at most 1 per second).
 */
export const PACING_THRESHOLD = 3;
