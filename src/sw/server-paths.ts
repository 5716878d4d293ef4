/** Paths (with query) that the page never answers: they belong to the server. */
export const SERVER_PATHS: readonly RegExp[] = [
  /^\/api(?:[/?]|$)/,
  /^\/assets\//,
  // Files beside the page: worker, manifest, icons. No route of the page contains a dot there.
  /^\/[^/?]+\.[a-z0-9]+(?:\?|$)/i,
];
