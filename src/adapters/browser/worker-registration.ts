import { Workbox } from 'workbox-window';

import type { ClientLog, MaybeTrustedTypes, Updates } from '#domain/ports/browser.ts';
import type { Random } from '#domain/ports/kit.ts';
import { type RetryLimits, toRetryDelay } from '#domain/rules/retry-delay.ts';

import { createPageEnvironment } from './page-environment.ts';

export type Change = 'found' | 'replaced';

/** What a registered worker needs from the page. */
interface UpdateReports {
  readonly container: ServiceWorkerContainer;
  /** The page's worker when the page started. */
  readonly first: ServiceWorker | null;
  last(): Change | undefined;
  report(change: Change): void;
}

export interface RegistrationPorts {
  readonly clientLog: ClientLog;
  readonly random: Random;
}

/** A page that stays open checks for a new version this often. */
const UPDATE_CHECK_EVERY_MS = 3_600_000;
/** A page that is shown again checks if the last check is older. */
const SHOWN_CHECK_AGE_MS = 600_000;
/** Checks on request are at least this far apart. */
const CHECK_AGE_MIN_MS = 60_000;

/** A worker that is still installed after this long waits: the time that workbox-window allows. */
const WAITING_MS = 200;

/**
 * Delays between attempts to install the first worker: each fetches the whole shell. After the
 * shortest one, a return of the network or the user begins the next.
 */
const INSTALL_AGAIN: RetryLimits = { minMs: 2000, maxMs: 300_000 };

const ADDRESS = '/sw.js';
/** The address in the form that the content policy requires, where the browser supports it. */
const SCRIPT =
  (window as MaybeTrustedTypes).trustedTypes
    ?.createPolicy('replay-desk-worker', { createScriptURL: () => ADDRESS })
    .createScriptURL('') ?? ADDRESS;
const OPTIONS: RegistrationOptions = { scope: '/', updateViaCache: 'none' };

/** Waits while a worker is in one of these states; false if it failed. */
const waitWhile = (worker: ServiceWorker, states: readonly ServiceWorkerState[]) =>
  new Promise<boolean>((resolve) => {
    const check = (): void => {
      if (states.includes(worker.state)) return;
      worker.removeEventListener('statechange', check);
      resolve(worker.state !== 'redundant');
    };
    worker.addEventListener('statechange', check);
    check();
  });

/**
 * Resolves to false if the installation fails, as on a bad network; rejects where the browser
 * refuses workers.
 */
const attemptInstall = async (container: ServiceWorkerContainer): Promise<boolean> => {
  try {
    const { installing, waiting, active } = await container.register(SCRIPT, OPTIONS);
    // The very first worker also waits briefly, which does not mean that a new version is waiting.
    if (active !== null)
      return installing === null || (await waitWhile(installing, ['installing']));
    const first = waiting ?? installing;
    return first === null || (await waitWhile(first, ['installing', 'installed']));
  } catch (error) {
    // The script did not arrive (Service Workers, "Update").
    if (error instanceof TypeError) return false;
    throw error;
  }
};

const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Notices that the network or the user returns: an attempt may succeed then. */
const watchReturn = () => {
  const { promise: returned, resolve } = Promise.withResolvers<void>();
  const stop = createPageEnvironment(window).watch((change) => {
    if (change === 'online' || change === 'shown') resolve();
  });
  return { returned, stop };
};

/**
 * Installs the first worker. Browsers give up when one file of the shell does not arrive (Service
 * Workers, "Install"); this tries again.
 */
const installFirst = async (
  container: ServiceWorkerContainer,
  { clientLog, random }: RegistrationPorts,
): Promise<void> => {
  for (let attempt = 0; ; attempt += 1) {
    const { returned, stop } = watchReturn();
    const isInstalled = await attemptInstall(container);
    if (!isInstalled) {
      if (attempt === 0) clientLog.write('warn', 'WORKER_NOT_INSTALLED', {});
      const { minMs } = INSTALL_AGAIN;
      await wait(minMs);
      await Promise.race([returned, wait(toRetryDelay(attempt, INSTALL_AGAIN, random) - minMs)]);
    }
    stop();
    if (isInstalled) return;
  }
};

/** Checks for a new version regularly and when the page is shown; the result does so on request. */
const watchVersions = (workbox: Workbox): (() => void) => {
  let checkedAt = Date.now();
  const check = (ageMin = 0): void => {
    if (Math.abs(Date.now() - checkedAt) < ageMin) return;
    checkedAt = Date.now();
    void workbox.update().catch(() => undefined);
  };
  setInterval(check, UPDATE_CHECK_EVERY_MS);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') check(SHOWN_CHECK_AGE_MS);
  });
  return () => check(CHECK_AGE_MIN_MS);
};

/**
 * Registers the worker and reports its new versions. Rejects where the browser refuses workers.
 */
export const registerWorker = async (
  page: UpdateReports,
  ports: RegistrationPorts,
): Promise<Pick<Updates, 'activate' | 'check'>> => {
  const { container } = page;
  if (container.controller === null) await installFirst(container, ports);
  const workbox = new Workbox(SCRIPT, OPTIONS);
  const offer = (): void => {
    if (page.last() !== 'found') page.report('found');
  };
  let known = container.controller;
  let missed: ServiceWorker | null = null;
  workbox.addEventListener('waiting', offer);
  workbox.addEventListener('controlling', () => {
    const { controller } = container;
    // The worker that takes over a page without one is not a new version.
    const isFirst = controller === missed || (known === null && page.last() !== 'found');
    const isNew = controller !== known && !isFirst;
    known = controller;
    if (isNew) page.report('replaced');
  });
  const registration = await workbox.register();
  // The first worker may have taken over meanwhile, which is reported only later.
  known ??= container.controller;
  // The library stops listening after a version that failed to install (7.4.1).
  registration?.addEventListener('updatefound', () => {
    const next = registration.installing;
    next?.addEventListener('statechange', () => {
      // A first worker also reaches this state, but does not wait.
      if (next.state !== 'installed') return;
      setTimeout(() => registration.waiting === next && offer(), WAITING_MS);
    });
  });
  // Another tab activated a new version before this one listened.
  if (page.first !== null && container.controller !== page.first) page.report('replaced');
  // A page that loads while its first worker activates, or is reloaded bypassing it, has no worker
  // until that claims it, and no late parts offline.
  if (container.controller === null && registration?.active) {
    missed = registration.active;
    missed.postMessage({ type: 'CLAIM_CLIENTS' });
  }
  return {
    activate: () => {
      // It took control before this page listened: a reload loads it.
      if (!registration?.waiting) page.report('replaced');
      else workbox.messageSkipWaiting();
    },
    check: watchVersions(workbox),
  };
};
