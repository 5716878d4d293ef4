import type { CDPSession, Page } from 'playwright-core';

import { mountSmallDisk } from './small-disk.ts';

/** A browser's storage that can be filled and freed. */
export interface LimitedStorage {
  /** Required folder of the browser's profile; undefined for any. */
  readonly folder: string | undefined;
  fill(page: Page): Promise<void>;
  free(page: Page): Promise<void>;
  /** The files of a profile's databases with their sizes and changes; empty over a quota. */
  listDatabaseFiles(profile: string): Promise<readonly string[]>;
  dispose(): Promise<void>;
}

/** Space for a profile with all of the browser's own files. */
const DISK_MB = 200;

/** Runs in the page: writes to a separate database until the browser refuses. */
const writeUntilRefused = async (): Promise<void> => {
  const name = 'quota-check';
  const finish = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error ?? new Error('refused')));
    });
  const opening = indexedDB.open(name, 1);
  opening.addEventListener('upgradeneeded', () => void opening.result.createObjectStore('bytes'));
  const database = await finish(opening);
  const isStored = (): Promise<boolean> =>
    new Promise((resolve) => {
      const writing = database.transaction('bytes', 'readwrite');
      writing.objectStore('bytes').put(0, 0);
      writing.addEventListener('complete', () => resolve(true));
      writing.addEventListener('abort', () => resolve(false));
    });
  while (await isStored()) await new Promise((resolve) => setTimeout(resolve, 500));
  database.close();
  await finish(indexedDB.deleteDatabase(name));
};

/**
 * The quota of an origin. Chromium's override ends with the session that made it, and reaches
 * IndexedDB after about half a minute, for which `fill` waits.
 */
export const limitQuota = (origin: string): LimitedStorage => {
  let session: CDPSession | undefined;
  return {
    folder: undefined,
    fill: async (page) => {
      if (session !== undefined) return;
      session = await page.context().newCDPSession(page);
      // Even an empty origin exceeds this quota.
      await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 });
      await page.evaluate(writeUntilRefused);
    },
    free: async () => {
      // The session ended with its browser if that was killed.
      await session?.detach().catch(() => undefined);
      session = undefined;
    },
    listDatabaseFiles: () => Promise.resolve([]),
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
