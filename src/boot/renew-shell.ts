import { REQUEST_TIMEOUT_MS } from '#domain/limits.ts';

import { mayReload, reloadFor } from './throttled-reload.ts';

/** The page of every browser, and that of Chromium (sw.ts). */
const [SHELL, CHROMIUM_SHELL] = ['/index.html', '/shell.html'];
/** Makes a path miss the worker's cache, so that the server answers. */
const FRESH = '?shell=fresh';
const POLICY = 'content-security-policy';

/** Replaces the worker's cached shells with the server's current ones, headers included. */
const renew = async (): Promise<void> => {
  // The shell that is checked comes last: until it is replaced, the next page tries again.
  for (const path of [CHROMIUM_SHELL, SHELL]) {
    const shell = await fetch(path + FRESH, {
      cache: 'no-store',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    if (!shell.ok) return;
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      const kept = await cache.keys(path, { ignoreSearch: true });
      for (const request of kept) await cache.put(request, shell.clone());
    }
  }
  reloadFor('shell');
  // Nothing more runs on a page that is being left.
  await new Promise(() => undefined);
};

/** Whether a content policy permits an address; policies name origins, without a path. */
export const permits = (policy: string, address: string): boolean =>
  policy.split(/[\s;]+/).includes(new URL(address).origin);

/**
 * The worker caches the shell with its headers, including the addresses that a page may reach. An
 * engine that was set up later under the same build is not among them. The shell is then fetched
 * again and the page reloads, at most once a minute.
 */
export const renewShellFor = async (engineAddress: string): Promise<void> => {
  // Without a readable cache there is nothing to renew.
  const kept = await caches.match(SHELL, { ignoreSearch: true }).catch(() => undefined);
  const policy = kept?.headers.get(POLICY);
  if (!policy || permits(policy, engineAddress) || !mayReload('shell')) return;
  await renew();
};
