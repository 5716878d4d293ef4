import type { Producer } from '#domain/schemas/producer.ts';

import { openProducers } from '#db/read/fetched-lists.ts';
import { useShared } from './use-shared.ts';

/** The stored producers; undefined while loading and before any fetch. */
export const useProducers = (): readonly Producer[] | undefined => useShared(openProducers);
