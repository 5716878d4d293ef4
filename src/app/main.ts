import { findGuard, isFlagged } from '#src/adapters/browser/disk-guard.ts';
import { hasOpenStore } from '#src/adapters/browser/store-flags.ts';
import { reloadOnLostPart } from '#src/boot/throttled-reload.ts';

/**
 * The browser opens the files of the databases (in Firefox since version 126), but not on a full
 * disk: it would lose them (decision 48).
 */
const openStorage = async (): Promise<unknown> =>
  !isFlagged() && (await findGuard()) && indexedDB.databases?.();

const loadDesk = () => {
  openStorage().catch(() => undefined);
  return import('./desk-pages.tsx');
};

reloadOnLostPart();
// The entry imports nothing large: both parts of the page are requested in parallel as soon as it
// runs. Whether the session allows that half is decided later; the router reports a failure.
const half = hasOpenStore() ? loadDesk() : import('./auth-pages.tsx');
half.catch(() => undefined);
void import('./start-page.tsx');
