/** `upstream`: the server answers, but a service behind it does not. Without a cause: unknown. */
export type LinkCause = 'upstream';

/** Status of the browser's only stream. Times are ms since the epoch. */
export type LinkStatus =
  /**
   * `blocked`: the stream is up, but queued messages cannot be sent at the moment. `catchingUp`:
   * missed messages are still being read, for the first time since the stream opened.
   * `incomplete`: some are missing because reading them failed repeatedly; it is tried again.
   */
  | {
      readonly kind: 'online';
      readonly blocked?: true;
      readonly catchingUp?: true;
      readonly incomplete?: true;
    }
  | { readonly kind: 'offline' }
  | { readonly kind: 'connecting'; readonly cause?: LinkCause }
  | { readonly kind: 'waiting'; readonly retryAt: number; readonly cause?: LinkCause };

/**
 * The link as one tab sees it. `unresponsive`: the leading tab is silent and the storage does
 * not answer either, because another tab stopped inside a transaction.
 */
export type BrowserLink = LinkStatus | { readonly kind: 'unresponsive' };

/** Why there is no connection, if known. */
export const findCause = (link: BrowserLink): LinkCause | undefined =>
  'cause' in link ? link.cause : undefined;
