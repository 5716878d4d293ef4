import { countFailed } from '../queries.ts';
import { useStored } from './use-stored.ts';

/** How many own messages were refused and are still kept, over all rooms; 0 while loading. */
export const useFailedCount = (): number => useStored('failed count', '', countFailed) ?? 0;
