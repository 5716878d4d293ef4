import { type RoomKey, toRoomKey } from '#domain/rooms.ts';
import { parseChatPlace } from '#domain/routes.ts';

import { useChatIds } from './address.tsx';

/** The room in the address. */
export const useOpenRoom = (): RoomKey | undefined => {
  const ids = useChatIds();
  const place = ids && parseChatPlace(ids);
  return place?.kind === 'room' ? toRoomKey(place.clientId, place.roomId) : undefined;
};
