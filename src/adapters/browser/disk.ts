import type { Disk } from '#domain/ports/device.ts';

import { marks } from './marks.ts';

const KEY = 'replay-desk-disk';
const FULL = 'full';

/** If the browser denies marks, a restart on a full disk goes unnoticed. */
export const createDisk = (): Disk => ({
  isMarked: () => marks.find(KEY) === FULL,
  mark: () => marks.set(KEY, FULL),
  unmark: () => marks.remove(KEY),
  hasRoom: async () => (await import('./disk-room.ts')).hasRoom(),
});
