import type { Page } from 'playwright-core';

import { mountSmallDisk } from './small-disk.ts';

/** A browser's storage that can be made full and free again. */
export interface LimitedStorage {
  /** Where the browser's profile has to lie; anywhere if undefined. */
  readonly folder: string | undefined;
  fill(page: Page): Promise<void>;
  free(page: Page): Promise<void>;
  dispose(): Promise<void>;
}

/** Room for a profile with all of the browser's own files. */
const DISK_MB = 200;

const setQuota = async (page: Page, origin: string, quotaSize?: number): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  const quota = quotaSize === undefined ? {} : { quotaSize };
  await session.send('Storage.overrideQuotaForOrigin', { origin, ...quota });
  await session.detach();
};

/** The quota of an origin; the browser applies it to IndexedDB after half a minute. */
const limitQuota = (origin: string): LimitedStorage => ({
  folder: undefined,
  // Over the quota even of an empty origin.
  fill: (page) => setQuota(page, origin, 1),
  free: (page) => setQuota(page, origin),
  dispose: () => Promise.resolve(),
});

/** A disk of its own, really full; where no file system may be mounted, the quota. */
export const limitStorage = async (origin: string): Promise<LimitedStorage> => {
  const disk = await mountSmallDisk(DISK_MB);
  if (disk === undefined) {
    console.info('No file system may be mounted here: the storage quota takes its place.');
    return limitQuota(origin);
  }
  return disk;
};
