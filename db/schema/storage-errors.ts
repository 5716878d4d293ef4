import type { AppError } from '#domain/errors.ts';
import { fail, ok, type Result } from '#domain/result.ts';

import type { DeskDatabase } from './database.ts';
import { isDiskFull, isConnectionLost, toNames } from './disk-full.ts';

/** Aborts a transaction of a tab that no longer leads. */
export class FencedError extends Error {
  override readonly name = 'FencedError';
}

/** Aborts a transaction on a store that no longer accepts writes. */
export class SealedError extends Error {
  override readonly name = 'SealedError';
}

export const toStorageError = (error: unknown): AppError => {
  const names = toNames(error);
  if (names.includes('FencedError')) return { kind: 'fenced' };
  if (isDiskFull(error)) return { kind: 'quota' };
  const message = error instanceof Error ? error.message : String(error);
  return { kind: 'storage', detail: `${names[0] ?? 'Error'}: ${message}` };
};

/** Whether the browser aborted it, for example an opening while its database is being deleted. */
export const isAborted = (error: unknown): boolean => toNames(error).at(-1) === 'AbortError';

const REOPENABLE: ReadonlySet<string> = new Set([
  'UnknownError',
  'InvalidStateError',
  'DatabaseClosedError',
  // Dexie's own reopening, which the browser's close event interrupted.
  'OpenFailedError',
]);

const isReopenable = (error: unknown): boolean => {
  const names = toNames(error);
  return names.some((name) => REOPENABLE.has(name)) && !isDiskFull(error);
};

/** An exceeded quota fails a transaction; a completely full disk closes the connection. */
const recordRefusal = ({ space }: DeskDatabase, error: unknown): void => {
  void (isConnectionLost(error) ? space.shut() : space.refuse());
};

/**
 * Runs a storage action. If the browser lost the connection to the database, it is reopened and
 * the action runs once more; actions must tolerate that. Rejects as the action does.
 */
export const withReopening = async <T>(
  database: DeskDatabase,
  action: () => PromiseLike<T>,
): Promise<T> => {
  if (database.space.isBlocked) await database.space.admit();
  try {
    return await action();
  } catch (error) {
    if (database.isEnded) throw error;
    if (isDiskFull(error)) recordRefusal(database, error);
    if (!isReopenable(error)) throw error;
    // The browser closed it between its refusal and this access.
    await database.space.admit();
  }
  database.close({ disableAutoOpen: false });
  await database.open();
  return await action();
};

/** `withReopening` with the outcome as a value. */
export const attempt = async <T>(
  database: DeskDatabase,
  action: () => PromiseLike<T>,
): Promise<Result<T, AppError>> => {
  try {
    return ok(await withReopening(database, action));
  } catch (error) {
    return fail(toStorageError(error));
  }
};

/** Logs the failure of a query for a screen, which then keeps its last result. */
export const reportQueryFailed = (
  { isEnded, space, clientLog }: DeskDatabase,
  subject: string,
  error: unknown,
): void => {
  if (isEnded || isAborted(error) || space.view.isClosed) return;
  clientLog.write('error', 'STORAGE_QUERY_FAILED', { subject, ...toStorageError(error) });
};
