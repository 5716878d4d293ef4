import { REQUEST_TIMEOUT_MS } from '#domain/limits.ts';

import { mayReload, reloadFor } from './throttled-reload.ts';

/** Not a path of the worker's cache, so that the server answers. */
const FRESH_SHELL = '/?shell=fresh';
const SHELL = '/index.html';
const POLICY = 'content-security-policy';

/** Puts the server's shell of now, headers included, where the worker keeps the one of its build. */
const renew = async (): Promise<void> => {
  const shell = await fetch(FRESH_SHELL, {
    cache: 'no-store',
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  if (!shell.ok) return;
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    const kept = await cache.keys(SHELL, { ignoreSearch: true });
    for (const request of kept) await cache.put(request, shell.clone());
  }
  reloadFor('shell');
  // Nothing more is done on a page that goes.
  await new Promise(() => undefined);
};

/** Whether a page under this policy may reach an address; policies name origins, without a path. */
export const permits = (policy: string, address: string): boolean =>
  policy.split(/[\s;]+/).includes(new URL(address).origin);

/**
 * The worker keeps the shell with the headers of its day, and with them the list of addresses a
 * page may reach: an engine that was set up since, under the same build, is none of them. Then
 * the shell is taken anew and the page reloads, once a minute at most.
 */
export const renewShellFor = async (engineAddress: string): Promise<void> => {
  const kept = await caches.match(SHELL, { ignoreSearch: true });
  const policy = kept?.headers.get(POLICY);
  if (!policy || permits(policy, engineAddress) || !mayReload('shell')) return;
  await renew();
};
