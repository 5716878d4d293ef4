import { summariesOf, type Summaries } from '#db/read/summary-model.ts';
import { useShared } from './use-shared.ts';

/** The last message of every room; undefined while loading. */
export const useSummaries = (): Summaries | undefined => useShared(summariesOf);
