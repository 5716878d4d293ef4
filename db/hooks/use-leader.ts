import type { LeaderRow } from '#domain/ports.ts';

import { findLeader } from '../fence.ts';
import { useStored } from './use-stored.ts';

/** The leading tab's last heartbeat and how its stream is doing; undefined before any. */
export const useLeader = (): LeaderRow | undefined => useStored('leader', '', findLeader);
