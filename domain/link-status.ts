/** How the one stream of this browser is doing. Times are ms since the epoch. */
export type LinkStatus =
  /** `blocked`: the stream lives, but what is written here cannot be sent at the moment. */
  | { readonly kind: 'online'; readonly blocked?: true }
  | { readonly kind: 'offline' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'waiting'; readonly retryAt: number };
