import { HISTORY_LAG_MS } from './limits.ts';
import { fromEpochMs, type Timetoken, toEpochMs } from './timetoken.ts';

/** Where to begin so that entries are included that a history may have lacked at a position. */
export const beforeHistoryLag = (position: Timetoken): Timetoken =>
  fromEpochMs(toEpochMs(position) - HISTORY_LAG_MS);
