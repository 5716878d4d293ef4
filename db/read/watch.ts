import { liveQuery, type Subscription } from 'dexie';

import type { Unsubscribe } from '#domain/ports/kit.ts';

import type { UserDatabase } from '../schema/database.ts';
import { WATCH_RETRY_MS } from '../schema/limits.ts';
import { toStorageError } from '../schema/storage-errors.ts';

/** An error of the query itself, which Dexie then reports instead of swallowing it. */
class WatchError extends Error {
  override readonly name = 'WatchError';
}

/**
 * Calls `listener` with the result of `query` now and after every change of its rows, in this tab
 * or another, until the database is closed permanently. A query that fails is logged and restarted.
 */
export const watch = <T>(
  db: UserDatabase,
  query: () => Promise<T>,
  listener: (value: T) => void,
): Unsubscribe => {
  let subscription: Subscription | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  const observed = async () => {
    try {
      return await query();
    } catch (error) {
      throw new WatchError('live query failed', { cause: error });
    }
  };
  const start = () => {
    subscription = liveQuery(observed).subscribe(listener, (error: unknown) => {
      if (isStopped || db.isEnded) return;
      if (!db.space.view.isClosed)
        db.clientLog.write('warn', 'STORAGE_WATCH_FAILED', { ...toStorageError(error) });
      timer = setTimeout(start, WATCH_RETRY_MS);
    });
  };
  const stop = () => {
    isStopped = true;
    forget();
    clearTimeout(timer);
    subscription?.unsubscribe();
  };
  const forget = db.onEnd(stop);
  start();
  return stop;
};
