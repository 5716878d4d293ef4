import { countQueued } from '#db/read/queries.ts';
import { shareQuery } from '#db/read/shared-query.ts';
import { useShared } from './use-shared.ts';

const openQueuedCount = shareQuery<number>(async (db) => countQueued(db));

/** Number of queued own messages in all rooms; 0 while loading. */
export const useQueuedCount = (): number => useShared(openQueuedCount) ?? 0;
