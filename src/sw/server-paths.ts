/** Paths (with query) that are never answered with the page: the server owns them. */
export const SERVER_PATHS: readonly RegExp[] = [
  /^\/api(?:[/?]|$)/,
  /^\/assets\//,
  // Files beside the page: worker, manifest, icons. No route of the page has a dot there.
  /^\/[^/?]+\.[a-z0-9]+(?:\?|$)/i,
];
