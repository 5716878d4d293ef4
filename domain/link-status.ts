/** How the one stream of this browser is doing. Times are ms since the epoch. */
export type LinkStatus =
  /** `blocked`: the stream lives, but what is written here cannot be sent at the moment. */
  | { readonly kind: 'online'; readonly blocked?: true }
  | { readonly kind: 'offline' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'waiting'; readonly retryAt: number };

/**
 * The link as one tab knows it. `unresponsive`: the leading tab fell silent and the storage
 * does not answer either, because another tab stopped inside a transaction.
 */
export type BrowserLink = LinkStatus | { readonly kind: 'unresponsive' };
