import { REQUEST_TIMEOUT_MS } from '#domain/limits.ts';

import { mayReload, reloadFor } from './throttled-reload.ts';

/** The page of every browser, and that of Chromium (sw.ts). */
const [SHELL, CHROMIUM_SHELL] = ['/index.html', '/shell.html'];
/** Makes a path miss the worker's cache, so that the server answers. */
const FRESH = '?shell=fresh';
const POLICY = 'content-security-policy';

/** Whether a content policy permits an address; policies name origins, without a path. */
export const permits = (policy: string, address: string): boolean =>
  policy.split(/[\s;]+/).includes(new URL(address).origin);

/**
 * Gives the worker's cached shells the server's current policy. Their text stays: another build may
 * answer, and a newer worker may wait with a shell of its own.
 */
const renew = async (engineAddress: string): Promise<void> => {
  // The shell that is checked comes last: until it is replaced, the next page tries again.
  for (const path of [CHROMIUM_SHELL, SHELL]) {
    const answer = await fetch(path + FRESH, {
      cache: 'no-store',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    const policy = answer.headers.get(POLICY);
    if (!answer.ok || policy === null || !permits(policy, engineAddress)) {
      throw new Error(`The server's page does not permit ${engineAddress}`);
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys(path, { ignoreSearch: true })) {
        const kept = await cache.match(request);
        if (kept === undefined) continue;
        const headers = new Headers(kept.headers);
        headers.set(POLICY, policy);
        await cache.put(request, new Response(await kept.text(), { headers }));
      }
    }
  }
  reloadFor('shell');
  // Nothing more runs on a page that is being left.
  await new Promise(() => undefined);
};

/**
 * The worker caches the shell with its headers, including the addresses that a page may reach. An
 * engine that was set up later under the same build is not among them. The shell is then fetched
 * again and the page reloads, at most once a minute. Until then the engine does not load: it is
 * requested again, as on a failing line, and its requests would all be blocked.
 * @throws if the shell still does not permit the address
 */
export const renewShellFor = async (engineAddress: string): Promise<void> => {
  // Without a readable cache there is nothing to renew.
  const kept = await caches.match(SHELL, { ignoreSearch: true }).catch(() => undefined);
  const policy = kept?.headers.get(POLICY);
  if (!policy || permits(policy, engineAddress)) {
    // Another tab may have renewed it since this page was loaded with the earlier policy.
    window.addEventListener('securitypolicyviolation', ({ blockedURI }) => {
      if (blockedURI.startsWith(new URL(engineAddress).origin) && mayReload('shell'))
        reloadFor('shell');
    });
    return;
  }
  if (!mayReload('shell')) throw new Error(`The cached page does not permit ${engineAddress}`);
  await renew(engineAddress);
};
