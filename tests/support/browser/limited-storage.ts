import type { CDPSession, Page } from 'playwright-core';

import { mountSmallDisk } from './small-disk.ts';

/** A browser's storage that can be filled and freed. */
export interface LimitedStorage {
  /** Required folder of the browser's profile; undefined for any. */
  readonly folder: string | undefined;
  fill(page: Page): Promise<void>;
  free(page: Page): Promise<void>;
  dispose(): Promise<void>;
}

/** Space for a profile with all of the browser's own files. */
const DISK_MB = 200;

/**
 * The quota of an origin. Chromium's override ends with the session that made it, and reaches
 * IndexedDB after about half a minute.
 */
export const limitQuota = (origin: string): LimitedStorage => {
  let session: CDPSession | undefined;
  return {
    folder: undefined,
    fill: async (page) => {
      if (session !== undefined) return;
      session = await page.context().newCDPSession(page);
      // Exceeds the quota even of an empty origin.
      await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 });
    },
    free: async () => {
      // It ended with its browser if that was killed.
      await session?.detach().catch(() => undefined);
      session = undefined;
    },
    dispose: () => Promise.resolve(),
  };
};

/** A separate disk that is really full; if mounting is not permitted, the quota. */
export const limitStorage = async (origin: string): Promise<LimitedStorage> => {
  const disk = await mountSmallDisk(DISK_MB);
  if (disk !== undefined) return disk;
  console.info('No file system may be mounted here: the storage quota takes its place.');
  return limitQuota(origin);
};
