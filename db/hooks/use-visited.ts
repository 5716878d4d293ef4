import type { RoomKey } from '#domain/rooms.ts';

import { listVisited } from '#db/user/habits.ts';
import { shareQuery } from '#db/read/shared-query.ts';
import { useShared } from './use-shared.ts';

/** The rooms opened on this device, newest first. */
export const openVisited = shareQuery<readonly RoomKey[]>(async (db) => listVisited(db));

/** The rooms opened on this device, newest first; undefined while loading. */
export const useVisited = (): readonly RoomKey[] | undefined => useShared(openVisited);
