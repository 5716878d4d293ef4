/**
 * Times and limits of the machines; those of the leading tab's work are in `leader-limits.ts`.
 * Milliseconds, unless the name says otherwise.
 */

/**
 * After this, the session is requested without the stored one; nothing is shown until then. Longer
 * than a browser may take to tell whether the disk was full (src/adapters/browser/disk.ts): an
 * offline start without the stored session shows the sign-in page.
 */
export const SESSION_STORAGE_LIMIT_MS = 15_000;
/** The expiry of a session is checked at least this often: timers sleep with the device. */
export const SESSION_EXPIRY_CHECK_MS = 3_600_000;
/**
 * Interval of requests for a confirmed session that is due or has expired by this device's clock.
 */
export const SESSION_EXPIRED_CHECK_MS = 60_000;
/**
 * Delay after a failed session, teams or history request, or opening of the store: 1 s to 30 s,
 * jittered.
 */
export const REFETCH_RETRY_MIN_MS = 1000;
export const REFETCH_RETRY_MAX_MS = 30_000;
/** A fresh list of clients that lacks one is fetched again, unless it is younger than this. */
export const TEAMS_AGE_MIN_MS = 10_000;
/**
 * Upper limits of external waits. Adapters end a single request themselves (REQUEST_TIMEOUT_MS);
 * these limits apply if an adapter fails to. With the requests for its settings, its code and its
 * token, a call makes up to four; a sign-in that first completes a sign-out makes up to six.
 */
export const REQUEST_LIMIT_MS = 60_000;
/** A single transaction, which may wait behind a long one of another tab. */
export const STORAGE_LIMIT_MS = 30_000;
/** Deleting a database waits until other tabs have closed it. */
export const SIGN_OUT_CLEANUP_LIMIT_MS = 60_000;
/**
 * A sign-out waits this long for the leading tab to publish the last marks, at most so many times;
 * then it asks about those that would be lost.
 */
export const SIGN_OUT_WAIT_MS = 500;
export const SIGN_OUT_WAITS_MAX = 6;
/** A store that takes longer to open is reported, while the wait continues. */
export const OPEN_SLOW_MS = 20_000;
/** Hidden tabs wait this many times longer before they ask a server again. */
export const REFETCH_HIDDEN_FACTOR = 8;
/** A new version that does not take control within this is offered and requested again, ms. */
export const ACTIVATION_SLOW_MS = 10_000;
/**
 * After this many consecutive failures, usually some ten seconds, arriving messages count as new
 * although earlier ones are missing. By then, a few broken rooms no longer precede the others.
 */
export const CATCH_UP_ROUNDS_MAX = 4;
/** Rooms read concurrently during catch-up. */
export const CATCH_UP_CONCURRENCY = 4;
