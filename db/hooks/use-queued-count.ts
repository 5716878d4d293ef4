import { countQueued } from '#db/read/queries.ts';
import { useStored } from './use-stored.ts';

/** How many own messages wait to be sent, over all rooms; 0 while loading. */
export const useQueuedCount = (): number => useStored('queued count', '', countQueued) ?? 0;
