/**
 * Everything that can go wrong at a boundary, as one value.
 * `text` is a server's own error string where it sent one (shown as spec §8 says).
 */
export type AppError =
  /** No answer: offline, refused, reset, or a captive portal's page instead of JSON. */
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'timeout' }
  /** 5xx. */
  | { readonly kind: 'server'; readonly status: number; readonly text?: string }
  /** 401: no session, or one that ended. */
  | { readonly kind: 'unauthenticated' }
  /** 403. */
  | { readonly kind: 'forbidden'; readonly text?: string }
  /** 429. */
  | { readonly kind: 'limited'; readonly retryAfterMs: number; readonly text?: string }
  /** Other 4xx: the same request will never be accepted. */
  | { readonly kind: 'rejected'; readonly status: number; readonly text?: string }
  /** An answer of an unknown shape. */
  | { readonly kind: 'malformed'; readonly detail: string }
  /** The message, envelope included, is over the engine's limit. */
  | { readonly kind: 'too-large'; readonly bytes: number; readonly limit: number }
  /** This device's storage is full. */
  | { readonly kind: 'quota' }
  /** This device's storage failed otherwise. */
  | { readonly kind: 'storage'; readonly detail: string }
  /** Another tab took over; the action was not carried out here. */
  | { readonly kind: 'fenced' }
  /** The sign-in was refused (wrong address or password). */
  | { readonly kind: 'credentials'; readonly text?: string }
  /** The sign-in was accepted, and the next request came without its session. */
  | { readonly kind: 'session-lost' };

/** The server's own words, where it sent some. */
const serverText = (error: AppError): string | undefined =>
  'text' in error && typeof error.text === 'string' && error.text !== '' ? error.text : undefined;

/** Texts of spec §8, to the letter. */
export const TEXTS = {
  historyFailed: 'Error loading chatroom!',
  publishFailed: 'An error occured sending your message!',
  generic: 'An error occurred!',
  title: 'Error occurred!',
  clientsFailed: 'Error loading clients',
} as const;

/** What to do about a browser that keeps no cookies. */
const SESSION_LOST =
  "This browser didn't keep your session. Allow cookies for this site, then sign in again.";

/** Generic banner: the server's error string when there is one, else the default (spec §8). */
export const toBannerText = (error: AppError): string =>
  error.kind === 'session-lost' ? SESSION_LOST : (serverText(error) ?? TEXTS.generic);

/** Publish toast: the provider's status message when there is one (spec §8). */
export const toPublishText = (error: AppError): string => serverText(error) ?? TEXTS.publishFailed;
