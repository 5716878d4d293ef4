import type { RoomKey } from '#domain/rooms.ts';

import { listVisited } from '#db/user/habits.ts';
import { useStored } from './use-stored.ts';

/** The rooms opened on this device, newest first; undefined while loading. */
export const useVisited = (): readonly RoomKey[] | undefined =>
  useStored<readonly RoomKey[]>('visited', '', listVisited);
