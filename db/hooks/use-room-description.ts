import { shareQuery } from '#db/read/shared-query.ts';
import { META } from '#db/schema/tables.ts';
import { findDescriptions } from '#db/user/room-descriptions.ts';
import type { RoomId } from '#domain/rooms.ts';
import type { RoomDescriptions } from '#domain/schemas/config.ts';

import { useShared } from './use-shared.ts';

const openDescriptions = shareQuery<RoomDescriptions>(
  { meta: [META.descriptions] },
  findDescriptions,
);

/** The operator's description of a room; undefined if there is none and while loading. */
export const useRoomDescription = (roomId: RoomId): string | undefined =>
  useShared(openDescriptions)?.[roomId];
