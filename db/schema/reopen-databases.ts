import { isDiskFull } from './disk-full.ts';
import { SCRATCH_BYTES } from './limits.ts';
import type { DiskDatabase } from './space-state.ts';
import { SCRATCH } from './tables.ts';
import { renewLog, write } from './write.ts';

/** The log was not renewed, so nothing may be written after its torn record. */
class LogNotRenewedError extends Error {
  override readonly name = 'LogNotRenewedError';
}

/**
 * Reopens databases that the browser closed. Chromium 156 appends to the log of a database after
 * the record that a full disk cut off. Unless the log is renewed, its next start finds it damaged
 * and the database empty.
 */
const reopen = async (databases: readonly DiskDatabase[]): Promise<void> => {
  for (const db of databases) db.close({ disableAutoOpen: false });
  // They share one log.
  const [first] = databases;
  if (first === undefined) return;
  await first.open();
  try {
    await renewLog(first);
  } catch (error) {
    throw new LogNotRenewedError('The log was not renewed.', { cause: error });
  }
  for (const db of databases) if (!db.isEnded) await db.open();
};

/**
 * Reopens the databases; false if the disk is full again, or the log was not renewed. A database
 * with another fault counts as lost; its next opening determines what remains.
 */
export const reopenDatabases = async (databases: readonly DiskDatabase[]): Promise<boolean> => {
  try {
    await reopen(databases);
  } catch (error) {
    if (isDiskFull(error) || error instanceof LogNotRenewedError) {
      for (const db of databases) db.close({ disableAutoOpen: true });
      return false;
    }
    for (const db of databases) db.lose();
  }
  return true;
};

/** Whether open databases accept writes again: writes an incompressible row and deletes it. */
export const canWrite = async (databases: readonly DiskDatabase[]): Promise<boolean> => {
  try {
    for (const db of databases) {
      const table = db.table(db.scratch);
      const bytes = crypto.getRandomValues(new Uint8Array(SCRATCH_BYTES));
      await write(db, [table], () => table.put({ key: SCRATCH, bytes }));
      await write(db, [table], () => table.where('key').startsWith(SCRATCH).delete());
    }
    return true;
  } catch {
    return false;
  }
};
