/** Limits of the server. Times are milliseconds, sizes bytes, unless the name says otherwise. */

/** Largest request body. */
export const BODY_BYTES_MAX = 64 * 1024;
/** A request without a response after this time is aborted; streams are exempt. */
export const HANDLER_TIMEOUT_MS = 30_000;
/** Timeouts of a complete request, and of its headers; shorter than the handler's. */
export const REQUEST_ARRIVAL_MS = 27_000;
export const HEADERS_ARRIVAL_MS = 10_000;
/** How often Node checks connections for these timeouts. */
export const ARRIVAL_CHECK_EVERY_MS = 2000;
/** Idle keep-alive connections; longer than the 60 s of common balancers. */
export const KEEP_ALIVE_MS = 65_000;
/** An open request or response without any byte for this long ends; heartbeats are more frequent. */
export const CONNECTION_IDLE_MS = 60_000;
/**
 * Unanswered requests of one connection, of which one is handled; browsers send the next one after
 * the answer (RFC 9112 §9.3.2).
 */
export const PIPELINED_MAX = 4;
/** A connection with an unreadable request is closed this long after its answer. */
export const REFUSED_CLOSE_MS = 1000;

/** After a stop signal, open responses get this long; the process ends within `STOP_MAX_MS`. */
export const STOP_GRACE_MS = 1500;
export const STOP_MAX_MS = 4500;

/** Calls to other services, and of the terminal client and the doctor to a server. */
export const UPSTREAM_TIMEOUT_MS = 10_000;
export const UPSTREAM_BYTES_MAX = 5 * 1024 * 1024;

/** Use extends a session up to this multiple of its idle limit after the sign-in. */
export const SESSION_ABSOLUTE_FACTOR = 3;
/** A read renews the cookie if it is older than this, or than half the idle limit. */
export const SESSION_RENEW_AFTER_MS = 24 * 3600 * 1000;

/** A request waits this long for its sign-out to be stored; the rest runs in the background. */
export const SIGN_OUT_WAIT_MS = 1000;
/** Sign-outs that could not be stored or shared are retried after this time, up to this number. */
export const SIGN_OUT_RETRY_MS = 2000;
export const SIGN_OUTS_WAITING_MAX = 10_000;

/**
 * Denied sessions that an instance keeps in addition to a store, and that the store lists in order.
 */
export const DENIALS_KNOWN_MAX = 50_000;
export const DENIALS_SHARED_MAX = 10_000;
/** Delay until an instance receives another's denial, while the store can also be queried. */
export const DENIALS_POLL_INTERVAL_MS = 1000;
/**
 * How long expired denials stay: a clock that is ahead for a while must not end them, because it
 * accepts copied cookies of their sessions again once it is right.
 */
export const DENIALS_KEPT_MS = 30 * 24 * 3600 * 1000;
/** How often expired denials are removed. */
export const DENIALS_DROP_EVERY_MS = 60_000;
/** How often the store is checked for completeness even if no loss was noticed. */
export const DENIALS_CHECK_EVERY_MS = 24 * 3600 * 1000;

/** Timeout of a call to the shared store, and the longest pause between connection attempts. */
export const SHARED_STORE_CALL_MS = 2000;
export const SHARED_STORE_RETRY_MAX_MS = 2000;

/** The last use of a session is recorded at most this often, and written up to that much later. */
export const SESSION_SEEN_EVERY_MS = 60_000;
/** Pending records of last use; beyond this number the oldest are dropped. */
export const SESSIONS_SEEN_MAX = 10_000;
/** Sessions of one person; beyond this number the one unused for longest ends. */
export const SESSIONS_PER_PERSON_MAX = 200;

/** Longest session cookie: browsers drop more than 4,096 bytes of name and value. */
export const SESSION_COOKIE_LENGTH_MAX = 4000;

/** Failed sign-ins: how many before there is a delay, and how it grows. */
const GROWING = { delayMs: 30_000, delayMaxMs: 15 * 60 * 1000 } as const;
export const SIGN_IN_PACE_PER_ACCOUNT = {
  ...GROWING,
  name: 'account',
  free: 10,
  windowMs: 24 * 3600 * 1000,
} as const;
export const SIGN_IN_PACE_PER_ADDRESS = {
  ...GROWING,
  name: 'address',
  free: 50,
  windowMs: 15 * 60 * 1000,
} as const;
/** Limit of an IPv6 /48, whose 65,536 networks may belong to one attacker. */
export const SIGN_IN_PACE_PER_SITE = {
  ...SIGN_IN_PACE_PER_ADDRESS,
  name: 'site',
  free: 500,
} as const;
/** Limit of a browser that signed in to the account before. */
export const DEVICE_PACE = { ...SIGN_IN_PACE_PER_ACCOUNT, name: 'device' } as const;
/** Limit of all such browsers of an account together, after which they count like others. */
export const DEVICES_PACE = { ...SIGN_IN_PACE_PER_ACCOUNT, name: 'devices', free: 50 } as const;
/**
 * How long a browser is remembered for an account after its last sign-in, and for how many
 * accounts.
 */
export const DEVICE_COOKIE_MAX_AGE_MS = 90 * 24 * 3600 * 1000;
export const DEVICE_COOKIE_ACCOUNTS_MAX = 5;
/** Reports of pages per address within the window: log lines, and violations of the policy. */
export const PAGE_REPORTS_WINDOW_MS = 60_000;
export const PAGE_REPORTS_PER_ADDRESS = 60;
/**
 * Maximum of keys in each of a limiter's two tables, of keys with few failures and of all others;
 * beyond it the least recently used are dropped.
 */
export const LIMITER_KEYS_MAX = 20_000;

/** Longer credentials are refused without a check (RFC 5321 §4.5.3.1.3 for addresses). */
export const EMAIL_LENGTH_MAX = 254;
export const PASSWORD_LENGTH_MAX = 1024;

/** Client log: maximum characters of the code and of the details. */
export const CLIENT_LOG_CODE_LENGTH = 64;
export const CLIENT_LOG_DETAILS_LENGTH = 2000;

/** Longest access pattern of a hosted token, which contains it base64-encoded. */
export const ACCESS_PATTERN_BYTES_MAX = 16_384;
/** Token and channels are part of a subscription's URL, which is limited to 32 KiB. */
export const HOSTED_ADDRESS_BYTES_MAX = 31 * 1024;
/** Longest uid that the hosted service accepts. */
export const HOSTED_UID_LENGTH_MAX = 92;
/** Lifetime of a hosted token; short, because not every keyset permits revocation. */
export const HOSTED_TOKEN_MINUTES = 15;
/** Tokens remembered for revocation at sign-out, of all sessions together. */
export const HOSTED_TOKENS_BYTES_MAX = 32 * 1024 * 1024;
/** How long a session's last client list remains valid while the product API is down. */
export const KNOWN_CLIENTS_MS = 4 * 3600 * 1000;
/** Ids in all of these lists together: some 40 MB. */
export const KNOWN_CLIENTS_MAX = 500_000;
/** Requests for staff lists per session within the window: each may cause one to the product API. */
export const STAFF_LISTS_PER_SESSION = 120;
export const STAFF_LISTS_WINDOW_MS = 60_000;

/** How often a token request of one session asks the product API whether the account exists. */
export const ACCOUNT_CHECK_EVERY_MS = 60_000;
/** How long the token waits for the answer. */
export const ACCOUNT_CHECK_MS_MAX = 2000;

/** Token requests per session within the window: each causes two requests to other services. */
export const HOSTED_TOKENS_PER_SESSION = 30;
export const HOSTED_TOKENS_WINDOW_MS = 60_000;

/** Content policy reports: maximum characters per part, and log lines per directive and window. */
export const POLICY_REPORT_LENGTH_MAX = 200;
export const POLICY_LINES_PER_DIRECTIVE = 20;
export const POLICY_REPORTS_WINDOW_MS = 3_600_000;

/** Pending log lines while the reader of stdout does not read; beyond this, lines are dropped. */
export const LOG_WAITING_BYTES_MAX = 1024 * 1024;
/** How often pending lines are retried. */
export const LOG_RETRY_EVERY_MS = 50;
/** A fault that may repeat thousands of times a second writes at most one line in this time. */
export const LOG_THROTTLE_MS = 60_000;
/** How long an exiting process waits for the reader of its log. */
export const LOG_FLUSH_MS = 1000;
