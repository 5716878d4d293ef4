/** Numbers of the server alone. Times are milliseconds, sizes bytes, unless the name says otherwise. */

/** Largest request body; uploads will have their own limit. */
export const BODY_BYTES_MAX = 64 * 1024;
/** A request that is not answered by then is given up; streams are exempt. */
export const HANDLER_TIMEOUT_MS = 30_000;
/** All of a request, or its headers alone, must have arrived by then: before a handler gives up. */
export const REQUEST_ARRIVAL_MS = 27_000;
export const HEADERS_ARRIVAL_MS = 10_000;
/** How often Node looks for connections over those times. */
export const ARRIVAL_CHECK_EVERY_MS = 2000;
/** Idle keep-alive connections; longer than the 60 s of common balancers. */
export const KEEP_ALIVE_MS = 65_000;

/** A signal to stop: open answers get this long, then the process ends within `STOP_MAX_MS`. */
export const STOP_GRACE_MS = 1500;
export const STOP_MAX_MS = 4500;

/** Calls to the product API. */
export const UPSTREAM_TIMEOUT_MS = 10_000;
export const UPSTREAM_BYTES_MAX = 5 * 1024 * 1024;

/** A session is renewed by use until this multiple of its idle limit, counted from the sign-in. */
export const SESSION_ABSOLUTE_FACTOR = 3;
/** A read renews the cookie when it is older than this, or than half the idle limit. */
export const SESSION_RENEW_AFTER_MS = 24 * 3600 * 1000;

/** A request waits this long for its sign-out to be stored or shared; then it goes on in the background. */
export const SIGN_OUT_WAIT_MS = 1000;
/** What could not be stored or shared is tried again after this time, so many at most. */
export const SIGN_OUT_RETRY_MS = 2000;
export const SIGN_OUTS_WAITING_MAX = 10_000;

/** Denied sessions an instance knows beside a store that knows all, and that the store keeps in order. */
export const DENIALS_KNOWN_MAX = 50_000;
export const DENIALS_SHARED_MAX = 10_000;
/** How soon an instance knows what another one denied while the store can still be asked. */
export const DENIALS_LOOK_EVERY_MS = 1000;
/** How often it is checked that the store has all of them, though nothing seems to be lost. */
export const DENIALS_CHECK_EVERY_MS = 24 * 3600 * 1000;

/** One call to the shared store, and the longest pause between two tries to reach it. */
export const SHARED_STORE_CALL_MS = 2000;
export const SHARED_STORE_RETRY_MAX_MS = 2000;

/** When a session was last seen is noted this often at most, and kept that much later. */
export const SESSION_SEEN_EVERY_MS = 60_000;
/** Notes that wait to be kept; beyond, the oldest are given up. */
export const SESSIONS_SEEN_MAX = 10_000;
/** Sessions of one person; beyond, the one unused for the longest ends. */
export const SESSIONS_PER_PERSON_MAX = 200;

/** Longest session cookie: browsers keep 4,096 bytes of name and value, and drop what is longer. */
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
/** A browser that signed in to the account before. */
export const DEVICE_PACE = { ...SIGN_IN_PACE_PER_ACCOUNT, name: 'device' } as const;
/** A browser counts as known to an account so long after it last signed in, for so many accounts. */
export const DEVICE_COOKIE_MAX_AGE_MS = 90 * 24 * 3600 * 1000;
export const DEVICE_COOKIE_ACCOUNTS_MAX = 5;
/** Client log lines per address within the window. */
export const CLIENT_LOG_WINDOW_MS = 60_000;
export const CLIENT_LOG_LINES_PER_ADDRESS = 60;
/** Keys a limiter remembers; beyond, the longest unused are forgotten. */
export const LIMITER_KEYS_MAX = 20_000;

/** Credentials longer than these are wrong without looking (RFC 5321 §4.5.3.1.3 for addresses). */
export const EMAIL_LENGTH_MAX = 254;
export const PASSWORD_LENGTH_MAX = 1024;

/** Client log: characters kept of the code and of the details. */
export const CLIENT_LOG_CODE_LENGTH = 64;
export const CLIENT_LOG_DETAILS_LENGTH = 2000;

/** Longest access pattern of a hosted token, which carries it base64-encoded. */
export const ACCESS_PATTERN_BYTES_MAX = 16_384;
/** Token and channels stand in the address of a subscription, of which 32 KiB are taken. */
export const HOSTED_ADDRESS_BYTES_MAX = 31 * 1024;
/** Longest uid the hosted service knows anybody by. */
export const HOSTED_UID_LENGTH_MAX = 92;
/** Life of a hosted token; not every keyset permits revoking one, so it is short. */
export const HOSTED_TOKEN_MINUTES = 15;
/** Tokens remembered to be revoked at sign-out, of all sessions together. */
export const HOSTED_TOKENS_BYTES_MAX = 32 * 1024 * 1024;
/** How long a session's last client list is good for while the product API does not answer. */
export const KNOWN_CLIENTS_MS = 4 * 3600 * 1000;
/** Ids in all of these lists together: some 40 MB. */
export const KNOWN_CLIENTS_MAX = 500_000;
/** Tokens asked for per session within the window: each costs two requests elsewhere. */
export const HOSTED_TOKENS_PER_SESSION = 30;
export const HOSTED_TOKENS_WINDOW_MS = 60_000;

/** Reports of the content policy: characters kept of each part, and kinds told apart per process. */
export const POLICY_REPORT_LENGTH_MAX = 200;
export const POLICY_REPORTS_REMEMBERED_MAX = 200;

/** Log lines that wait while the reader of stdout does not read; beyond, they are dropped. */
export const LOG_WAITING_BYTES_MAX = 1024 * 1024;
/** How soon lines that wait are tried again. */
export const LOG_RETRY_EVERY_MS = 50;
/** How long an ending process waits for the reader of its log. */
export const LOG_FLUSH_MS = 1000;
