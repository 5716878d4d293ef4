/**
 * Every failure at a boundary, as one value. `text` is the error string of the server, if it
 * sent one (shown as spec §8 requires).
 */
export type AppError =
  /** No answer: offline, refused, reset, or a captive portal's page instead of JSON. */
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'timeout' }
  /** 5xx. `upstream`: the server answered, but a service behind it did not. */
  | {
      readonly kind: 'server';
      readonly status: number;
      readonly text?: string;
      readonly upstream?: true;
    }
  /** 401: no session, or an expired one. */
  | { readonly kind: 'unauthenticated' }
  /** 403. */
  | { readonly kind: 'forbidden'; readonly text?: string }
  /** 429. */
  | { readonly kind: 'limited'; readonly retryAfterMs: number; readonly text?: string }
  /** Other 4xx. Some are final, others pass, such as a path unknown during a deployment. */
  | { readonly kind: 'rejected'; readonly status: number; readonly text?: string }
  /** A response of an unknown shape. */
  | { readonly kind: 'malformed'; readonly detail: string }
  /** The message with its envelope exceeds the engine's limit. */
  | { readonly kind: 'too-large'; readonly bytes: number; readonly limit: number }
  /** This device's storage is full. */
  | { readonly kind: 'quota' }
  /** Another failure of this device's storage. */
  | { readonly kind: 'storage'; readonly detail: string }
  /** Another tab took over the lead; nothing was written here. */
  | { readonly kind: 'fenced' }
  /** The sign-in was refused (wrong email or password). */
  | { readonly kind: 'credentials'; readonly text?: string }
  /** The sign-in was accepted, but the next request carried no session. */
  | { readonly kind: 'session-lost' };

/**
 * No store is open: nobody is signed in, or the store was deleted, or another one requested, while
 * it opened.
 */
export const NOT_OPEN: AppError = { kind: 'storage', detail: 'No store is open.' };

/** This server's name in its `Proxy-Status` header, sent if a service behind it failed. */
export const PROXY_NAME = 'replay-desk';

/** The error string of the server, if it sent one. */
const serverText = (error: AppError): string | undefined =>
  'text' in error && typeof error.text === 'string' && error.text !== '' ? error.text : undefined;

/** Exact texts of spec §8. */
export const TEXTS = {
  historyFailed: 'Error loading chatroom!',
  publishFailed: 'An error occured sending your message!',
  generic: 'An error occurred!',
  title: 'Error occurred!',
  clientsFailed: 'Error loading clients',
} as const;

/** Advice for a browser that blocks cookies. */
const SESSION_LOST =
  "This browser didn't keep your session. Allow cookies for this site, then sign in again.";

/** Generic banner: the server's error string if there is one, else the default (spec §8). */
export const toBannerText = (error: AppError): string =>
  error.kind === 'session-lost' ? SESSION_LOST : (serverText(error) ?? TEXTS.generic);

/** Publish toast: the provider's status message if there is one (spec §8). */
export const toPublishText = (error: AppError): string => serverText(error) ?? TEXTS.publishFailed;
