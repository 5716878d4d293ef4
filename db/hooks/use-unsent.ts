import type { OutboxItem } from '#domain/project/rows.ts';

import { listUnsent } from '#db/log/readable-tables.ts';
import { countQueued, listFailed } from '#db/read/queries.ts';
import { ALL_ROWS, shareQuery } from '#db/read/watch.ts';
import { useShared } from './use-shared.ts';

const openQueuedCount = shareQuery<number>({ outbox: ALL_ROWS }, async (db) => countQueued(db));

/** Number of the user's queued messages in all rooms; 0 while loading. */
export const useQueuedCount = (): number => useShared(openQueuedCount) ?? 0;

const isSame = (a: readonly OutboxItem[], b: readonly OutboxItem[]): boolean =>
  a.length === b.length && a.every(({ id }, i) => id === b[i]?.id);

const openFailed = shareQuery<readonly OutboxItem[]>({ outbox: ALL_ROWS }, async (db, last) => {
  const failed = await listFailed(db);
  return last && isSame(last, failed) ? last : failed;
});

/**
 * The user's messages that were refused and not yet deleted, in all rooms; undefined while loading.
 */
export const useFailed = (): readonly OutboxItem[] | undefined => useShared(openFailed);

const openUnsent = shareQuery<readonly OutboxItem[]>({ outbox: ALL_ROWS }, listUnsent);

/** The user's messages that are queued or were refused, in all rooms; undefined while loading. */
export const useUnsent = (): readonly OutboxItem[] | undefined => useShared(openUnsent);
