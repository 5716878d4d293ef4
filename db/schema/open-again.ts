import { isDiskFull } from './disk-full.ts';
import { SCRATCH_PIECE_BYTES, SCRATCH_ROWS, SCRATCH_TIMES } from './limits.ts';
import type { DiskDatabase } from './space-state.ts';
import { SCRATCH } from './tables.ts';
import { write } from './write.ts';

/** Incompressible rows, about 1 MB. */
const toScratchRows = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    key: `${SCRATCH}${n}`,
    piece: crypto.getRandomValues(new Uint8Array(SCRATCH_PIECE_BYTES)),
  }));

/** Writes `count` rows `times` times, each time in one transaction, and deletes them. */
const writeScratch = async (db: DiskDatabase, count: number, times: number): Promise<void> => {
  const table = db.table(db.scratch);
  for (let n = 0; n < times; n += 1) {
    const rows = toScratchRows(count);
    await write(db, [table], () => table.bulkPut(rows));
  }
  await write(db, [table], () => table.where('key').startsWith(SCRATCH).delete());
};

/**
 * Reopens databases that the browser closed. Chromium 156 appends to the log of a database after
 * the record that a full disk cut off. Unless that log was replaced, its next start finds the log
 * damaged and the database empty. The log is replaced after at most 4 MB; twice that is written to
 * be sure.
 */
const reopen = async (databases: readonly DiskDatabase[]): Promise<void> => {
  for (const db of databases) db.close({ disableAutoOpen: false });
  // They share one log.
  const [first] = databases;
  if (first === undefined) return;
  await first.open();
  if (!first.isEnded) await replaceLog(first);
  for (const db of databases) if (!db.isEnded) await db.open();
};

/** The log was not replaced, so nothing may be written after its torn record. */
class LogNotReplacedError extends Error {
  override readonly name = 'LogNotReplacedError';
}

const replaceLog = async (db: DiskDatabase): Promise<void> => {
  try {
    await writeScratch(db, SCRATCH_ROWS, SCRATCH_TIMES);
  } catch (error) {
    // It was deleted from outside, and its log with it.
    if (db.isEnded) return;
    throw new LogNotReplacedError('The log was not replaced.', { cause: error });
  }
};

/**
 * Reopens the databases; false if the disk is full again, or the browser closed them before the log
 * was replaced. A database with another fault counts as lost; its next opening determines what
 * remains.
 */
export const openAgain = async (databases: readonly DiskDatabase[]): Promise<boolean> => {
  try {
    await reopen(databases);
  } catch (error) {
    if (isDiskFull(error) || error instanceof LogNotReplacedError) {
      for (const db of databases) db.close({ disableAutoOpen: true });
      return false;
    }
    for (const db of databases) db.lose();
  }
  return true;
};

/** Whether open databases accept writes again. */
export const canWrite = async (databases: readonly DiskDatabase[]): Promise<boolean> => {
  try {
    for (const db of databases) await writeScratch(db, 1, 1);
    return true;
  } catch {
    return false;
  }
};
