import { countQueued } from '#db/read/queries.ts';
import { useStored } from './use-stored.ts';

/** Number of queued own messages in all rooms; 0 while loading. */
export const useQueuedCount = (): number => useStored('queued count', '', countQueued) ?? 0;
