/** Status of the browser's only stream. Times are ms since the epoch. */
export type LinkStatus =
  /** `blocked`: the stream is up, but queued messages cannot be sent at the moment. */
  | { readonly kind: 'online'; readonly blocked?: true }
  | { readonly kind: 'offline' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'waiting'; readonly retryAt: number };

/**
 * The link as one tab sees it. `unresponsive`: the leading tab is silent and the storage does
 * not answer either, because another tab stopped inside a transaction.
 */
export type BrowserLink = LinkStatus | { readonly kind: 'unresponsive' };
