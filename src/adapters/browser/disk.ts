import type { Disk } from '#domain/ports/device.ts';

const KEY = 'replay-desk-disk';
const FULL = 'full';

/** Where the browser forbids it there is no mark: a restart on a full disk then goes unnoticed. */
const tolerate = <T>(work: () => T): T | undefined => {
  try {
    return work();
  } catch {
    return undefined;
  }
};

/** Its mark is in localStorage, which lies apart from IndexedDB on the disk. */
export const createDisk = (): Disk => ({
  isMarked: () => tolerate(() => localStorage.getItem(KEY)) === FULL,
  mark: () => tolerate(() => localStorage.setItem(KEY, FULL)),
  unmark: () => tolerate(() => localStorage.removeItem(KEY)),
  hasRoom: async () => (await import('./disk-room.ts')).hasRoom(),
});
